#pragma once

#include <cstdint>
#include <string>

#include "command/execute/prepared_command.hpp"
#include "command/request/answer.hpp"
#include "common/clock.hpp"
#include "common/crypto/digest.hpp"
#include "consumer/store/command/command_key.hpp"
#include "consumer/store/driver/connection.hpp"

namespace sluice::command {

/// What one transaction came to.
struct Attempted {
    enum class End : std::uint8_t {
        settled,   ///< `answer` is what the caller gets
        again,     ///< nothing was done, and another try may do it; after the last one it is `answer`
        doubtful,  ///< nobody said whether the COMMIT was done: `answer` if it was
        troubled   ///< MySQL is of no use as it is: `answer`, and nothing was done
    };
    End end = End::settled;
    Answer answer;
    std::string why{};  ///< for the log; empty: nothing is wrong
};

/// Executes the command once, in one transaction: the row of its key comes first and locks it, then the
/// effect, then its response, then COMMIT. What a rule of the effect ends (a case with an answer) is rolled
/// back to where the effect began, and its response is stored. Where the key is there already that one's
/// response is the answer. `for_key`: how long to wait for another transaction that has the key open.
[[nodiscard]] Attempted attempt(const PreparedCommand& command, store::Connection& connection,
                                Milliseconds for_key);

/// What a verdict without an answer comes to: all was rolled back.
[[nodiscard]] Attempted attempted_by(const effects::Verdict& verdict, const store::Connection& connection);

inline constexpr const char* nobody_said = "nobody said whether COMMIT was done";

/// What a known key answers to a request. Pure.
[[nodiscard]] Answer answer_from(const store::KnownCommandKey& known, const crypto::Digest& fingerprint);

}  // namespace sluice::command
