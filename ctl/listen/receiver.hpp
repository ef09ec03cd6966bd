#pragma once

#include <memory>
#include <string>

#include "common/clock.hpp"
#include "common/webhook/http/request.hpp"
#include "common/webhook/recipe/source.hpp"
#include "common/webhook/signature/verify.hpp"
#include "ctl/listen/seen_keys.hpp"

namespace sluice::ctl {

/// A message, and what a receiver makes of it. Its texts are what the sender wrote: hostile.
struct Message {
    enum class Signature {
        verified,
        missing,  ///< there is none, but we have a secret
        wrong,
        stale,      ///< signed too long ago, or by a clock that is ahead
        unchecked,  ///< we have no secret
    };

    WallTime at;
    std::string source{};
    std::string effect{};
    std::string
        key{};  ///< webhook-id, which is signed; idempotency-key, which has the same value, without one
    std::string body{};
    Signature signature = Signature::unchecked;
    std::string check{};    ///< that refused, from a closed set; empty when none did
    bool is_again = false;  ///< a message with this key was taken before
    int answer = 0;         ///< status

    [[nodiscard]] bool is_taken() const noexcept {
        return signature == Signature::verified || signature == Signature::unchecked;
    }
};

/// Judges messages as a receiver has to: first the signature, then whether the key is known. A message that
/// does not verify leaves no trace: else a forger could have a key called known before its message comes.
/// One thread.
class Receiver {
public:
    static constexpr std::size_t most_keys = 100'000;

    /// `source`: of the recipe standard-webhooks; null: nothing is checked. `answer`: to what is taken.
    Receiver(std::shared_ptr<const webhook::Source> source, int answer)
        : source_{std::move(source)}, answer_{answer} {}

    [[nodiscard]] Message take(const webhook::Request& request, WallTime now);

private:
    void check(const webhook::Request& request, Message& message);

    std::shared_ptr<const webhook::Source> source_;
    int answer_;
    webhook::Scratch scratch_;
    SeenKeys seen_{most_keys};
};

}  // namespace sluice::ctl
