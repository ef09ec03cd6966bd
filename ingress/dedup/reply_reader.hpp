#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include <hiredis/read.h>

#include "ingress/dedup/claim_protocol.hpp"

namespace sluice::dedup {

/// The replies of one connection, in the order of its commands. hiredis reads the protocol (RESP2), and each
/// reply is built in place: nothing is allocated for it. What ends a connection, because replies and commands
/// may be out of step from there on: a byte that no command waits for, an array (no command of ours gets
/// any), a reply of more than `longest_reply`, and what is not RESP at all. One thread's.
class ReplyReader {
public:
    static constexpr std::size_t longest_reply = 16 * 1024;

    ReplyReader();  ///< throws std::bad_alloc
    ReplyReader(const ReplyReader&) = delete;
    ReplyReader& operator=(const ReplyReader&) = delete;

    void command_sent() noexcept { ++expected_; }
    /// Bytes that came, in any pieces.
    void feed(std::string_view bytes);
    /// The next whole reply, until the next call. Null when there is none yet, and for ever once there is a
    /// `trouble`. All that have come are taken before another command is sent: a surplus one must not answer
    /// it.
    [[nodiscard]] const Reply* next();
    /// Why the connection has to end; empty while it has not.
    [[nodiscard]] std::string_view trouble() const noexcept { return trouble_; }

private:
    struct Build;
    struct Free {
        void operator()(redisReader* reader) const noexcept { redisReaderFree(reader); }
    };
    [[nodiscard]] std::size_t unread() const noexcept { return reader_->len - reader_->pos; }

    std::unique_ptr<redisReader, Free> reader_;
    Reply reply_;
    std::size_t expected_ = 0;
    std::string_view trouble_;
};

}  // namespace sluice::dedup
