#pragma once

#include <chrono>
#include <expected>
#include <optional>
#include <string_view>

#include "common/clock.hpp"
#include "common/webhook/gate/gate_refusal.hpp"
#include "ingress/connection/deadlines.hpp"
#include "ingress/connection/drainable.hpp"
#include "ingress/connection/limits.hpp"
#include "ingress/connection/request_buffer.hpp"
#include "ingress/connection/stream.hpp"

namespace sluice::connection {

/// One client's connection below its requests: bytes in and out, and how long each phase may last. What is
/// read stands in `buffer_`; a phase's deadline is set once, when it begins. Base of the sessions of programs
/// that serve HTTP; one thread.
class Conversation : public Drainable {
public:
    void drain() override;
    void cut() override;

protected:
    template <class T>
    using Task = ingress::Task<T>;
    using Transfer = Stream::Transfer;

    /// Why a request was not taken: refused at the gate, or, without a value, the peer has gone.
    struct Stop {
        std::optional<gate::Refusal> refusal;
    };

    /// What it uses of its thread, which outlives it. `tls` null: plain.
    struct Thread {
        const Clock& clock;
        Deadlines& deadlines;
        BufferPool& buffers;
        boost::asio::ssl::context* tls;
    };

    Conversation(const Thread& thread, ingress::Socket socket, Limits::Slot slot);

    void allow(std::chrono::milliseconds time);  ///< for the phase that begins now

    /// Into the buffer, which is taken if there is none.
    [[nodiscard]] Task<Transfer> read_more();
    [[nodiscard]] bool end_read(const Transfer& transfer);  ///< of read_more: whether anything came
    [[nodiscard]] bool end_read_in_time(const Transfer& transfer);
    /// How long the head is that the buffer begins with. What follows it may be there as well.
    [[nodiscard]] Task<std::expected<std::size_t, Stop>> read_head();
    /// "100 Continue" for a client that waits for it with its body still unsent. False: it has gone.
    [[nodiscard]] Task<bool> invite_body(std::size_t head_size);

    [[nodiscard]] Task<Transfer> write(std::string_view bytes);
    [[nodiscard]] bool end_write(const Transfer& transfer);  ///< whether all went, in time
    /// Reads and forgets a little of what a refused peer still sends: closing at once would destroy the
    /// answer on its way.
    [[nodiscard]] Task<void> linger();
    void end();  ///< nothing is read or written after it

    [[nodiscard]] Stop timed_out_or_gone(gate::Refusal timeout) const;

    const Clock& clock_;
    Stream stream_;
    Limits::Slot slot_;
    Deadline deadline_;
    BufferPool& buffers_;
    BufferPool::Lease buffer_;
    bool idle_ = false;  ///< no request is in progress

private:
    void end_phase(bool again);
};

}  // namespace sluice::connection
