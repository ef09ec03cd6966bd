#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/clock.hpp"
#include "common/webhook/http/request.hpp"
#include "common/webhook/recipe/source.hpp"
#include "ctl/cli/json.hpp"

namespace sluice::ctl {

/// What the ingress would make of one request to a source, without Redis and Kafka.
struct Verdict {
    struct Event {
        std::string id;
        std::string type;
        std::string object;        ///< empty without one
        std::string ordering_key;  ///< the ordering unit
        std::string time;          ///< RFC 3339; empty where the body has none
    };

    bool accepted = false;
    int status = 0;      ///< of the answer
    std::string body;    ///< of the answer
    std::string check;   ///< that refused: webhook::name_of(Check) or the gate's name; empty when accepted
    std::string reason;  ///< for people; never holds what was expected, nor a secret
    std::string key_id;  ///< of the key that matched
    std::vector<Event> events;
};

/// Pure. `request_text` is the file's content.
[[nodiscard]] Verdict judge(const webhook::Source& source, std::string_view request_text, WallTime now);
/// The same of a request that has passed the gate.
[[nodiscard]] Verdict judge_admitted(const webhook::Source& source, const webhook::Request& request,
                                     WallTime now);

/// The object whose form other programs rely on.
[[nodiscard]] Json to_json(const Verdict& verdict);
[[nodiscard]] std::string to_people(const Verdict& verdict);

}  // namespace sluice::ctl
