#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <utility>

#include "common/clock.hpp"
#include "common/operations/socket.hpp"
#include "common/webhook/gate/head.hpp"

namespace sluice::ctl {

inline constexpr std::size_t most_body_bytes = 1024 * 1024;

/// Who looks at what comes.
class Recipient {
public:
    virtual ~Recipient() = default;
    /// The status of the answer, which says nothing more.
    [[nodiscard]] virtual int take(const webhook::Request& request) = 0;
    /// The gate refused what came.
    virtual void refused(gate::Refusal why) = 0;
    [[nodiscard]] virtual bool wants_more() const = 0;
};

/// The length of the whole POST that `bytes` begin with, and its head; 0 as long as it is not whole. Refuses
/// what the gate refuses, chunked bodies, and a body of more than `most_body_bytes` before any byte of it.
/// Pure.
[[nodiscard]] std::expected<std::size_t, gate::Refusal> whole_request(std::string_view bytes,
                                                                      gate::Head& head);

/// One connection and its requests, one after another. Nothing here waits. One thread.
class Connection {
public:
    /// With a request, from its first byte or that of the connection to the last byte of its answer.
    static constexpr Milliseconds patience{10'000};

    Connection(operations::Socket socket, SteadyTime now)
        : socket_{std::move(socket)}, until_{now + patience} {}

    [[nodiscard]] int descriptor() const noexcept { return socket_.get(); }
    [[nodiscard]] short waits_for() const noexcept;  ///< as poll(2) names it
    [[nodiscard]] SteadyTime until() const noexcept { return until_; }
    [[nodiscard]] bool owes_an_answer() const noexcept { return !answer_.empty(); }

    /// Reads or writes what can be read or written now. False: it is over.
    [[nodiscard]] bool go_on(Recipient& recipient, SteadyTime now);

private:
    [[nodiscard]] bool read_on(Recipient& recipient);
    [[nodiscard]] bool write_on(SteadyTime now);
    void answer_what_is_whole(Recipient& recipient);

    operations::Socket socket_;
    SteadyTime until_;
    std::string asked_{};
    std::string answer_{};  ///< what is left of it
    bool stays_open_ = true;
};

}  // namespace sluice::ctl
