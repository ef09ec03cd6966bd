#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "command/request/answer.hpp"
#include "command/request/request.hpp"
#include "common/clock.hpp"
#include "common/crypto/digest.hpp"

namespace sluice::command {

/// The right to send a call and to write what became of it. It ends when somebody else goes on with the call,
/// under a higher fence.
struct Claim {
    crypto::Digest key{};  ///< digest_of the request's key
    std::string owner;     ///< 32 characters, random for each request
    std::int64_t fence = 0;

    bool operator==(const Claim&) const = default;
};

/// What a call came to.
struct CallEnd {
    enum class State : std::uint8_t {
        done,      ///< the first response is known
        failed,    ///< nothing was done: the next request with the key calls again
        given_up,  ///< nobody will find out whether it was done
    };
    State state = State::done;
    Response response{};  ///< of done
    std::string why{};    ///< of the others: a sentence for the caller. Of done: who ended it by hand

    bool operator==(const CallEnd&) const = default;
};

/// A record of a call, as it was read.
struct KnownCall {
    Claim claim{};  ///< of who changed it last
    crypto::Digest fingerprint{};
    std::optional<CallEnd> end{};  ///< nullopt: in progress
    WallTime begun_at{};
    /// By the record's clock: in progress, its lease is over; else the key is a new one.
    bool is_due = false;
};

/// Who asks for what. The request lives during the call.
struct NewCall {
    const Request& request;
    Claim claim;  ///< `fence` does not count
    Milliseconds lease{};
};

/// The records of one command's calls, by key. Each change names who made the one before, so that of two that
/// try one does, and whoever was overtaken changes nothing (false). Times are the record's own: no clock of
/// this process counts. A change that failed (a sentence) was made or not; one that says false may have been
/// made by its own first try. One thread's; blocks.
class CallRecord {
public:
    template <class T>
    using Recorded = std::expected<T, std::string>;

    CallRecord() = default;
    CallRecord(const CallRecord&) = delete;
    CallRecord& operator=(const CallRecord&) = delete;
    virtual ~CallRecord() = default;

    /// In progress under fence 1, for `lease`. False: the key is there.
    [[nodiscard]] virtual Recorded<bool> insert(const NewCall& call) = 0;
    /// From `seen`, which failed or whose key is a new one, to in progress again under the next fence.
    [[nodiscard]] virtual Recorded<bool> restart(const KnownCall& seen, const NewCall& call) = 0;
    /// The next fence is `owner`'s, for `lease`. `from` is in progress and its lease is over.
    [[nodiscard]] virtual Recorded<bool> take_over(const Claim& from, const std::string& owner,
                                                   Milliseconds lease) = 0;
    /// The next fence is of the same owner, for `lease`.
    [[nodiscard]] virtual Recorded<bool> advance(const Claim& claim, Milliseconds lease) = 0;
    /// From in progress to `end`, which is kept for `keep` from now on.
    [[nodiscard]] virtual Recorded<bool> finish(const Claim& claim, const CallEnd& end,
                                                std::chrono::seconds keep) = 0;

    /// By a person who looked: from `seen`, which is in progress or given up, to `end` under the next fence,
    /// which is kept for `keep` from now on or longer.
    [[nodiscard]] virtual Recorded<bool> settle(const KnownCall& seen, const CallEnd& end,
                                                std::chrono::seconds keep) = 0;

    [[nodiscard]] virtual Recorded<std::optional<KnownCall>> find(const crypto::Digest& key) = 0;
    /// Calls in progress whose lease is over, at most `most`, the oldest first.
    [[nodiscard]] virtual Recorded<std::vector<Claim>> due(std::size_t most) = 0;
    /// How long ago the oldest call was begun that is in progress, of the `most` whose lease ends first;
    /// zero: none is.
    [[nodiscard]] virtual Recorded<std::chrono::microseconds> oldest_age(std::size_t most) = 0;
    /// How many calls were given up and wait for a person to `settle` them, at most `most`.
    [[nodiscard]] virtual Recorded<std::int64_t> given_up(std::size_t most) = 0;

    /// While nobody asks: where the server was away, whether it is back, so that readiness does not wait for
    /// the next request. Otherwise nothing.
    virtual void look_again() {}
};

}  // namespace sluice::command
