#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/config/settings/connections.hpp"
#include "consumer/store/dead_letter/dead_letter_list.hpp"
#include "consumer/store/erasure/erasure.hpp"
#include "ctl/cli/json.hpp"
#include "ctl/entry/history.hpp"

namespace sluice::ctl {

/// An entry with all that is known of it.
struct DeadLetterDetails {
    store::DeadLetterRow dead_letter;
    Trouble trouble;
    store::Waiting waiting;                                    ///< behind it in its lane
    std::vector<std::pair<std::string, std::string>> headers;  ///< record::separated
    std::optional<std::string> body;                           ///< as it is; masked when it is shown
    std::string body_from;                   ///< "the entry", "the lane", "the archive"; empty: none has it
    bool edited = false;                     ///< the body is an operator's
    std::optional<std::string> opened{};     ///< the body with its encrypted part opened (body_opener.hpp)
    std::string sealed_because{};            ///< why it is not opened; empty: it is, or nothing is encrypted
    std::optional<store::Erasure> erased{};  ///< of its object, where none of them has the body
};

/// Throws Stopped.
[[nodiscard]] DeadLetterDetails details_of(store::Connection& connection,
                                           const config::MysqlSettings& settings,
                                           const store::DeadLetterRow& dead_letter);

/// Entries by their own id or by their event's: of a number, the entry with that id if there is one.
[[nodiscard]] std::vector<store::DeadLetterRow> dead_letters_named(store::Connection& connection,
                                                                   const config::MysqlSettings& settings,
                                                                   const std::string& name);

[[nodiscard]] Json to_json(const DeadLetterDetails& details);
[[nodiscard]] std::string to_people(const DeadLetterDetails& details, WallTime now);

}  // namespace sluice::ctl
