#include "command/call/meaning.hpp"

#include <algorithm>
#include <format>

namespace sluice::command {
namespace {

using How = Exchanged::How;
using State = CallEnd::State;

CallEnd not_executed(std::string why) {
    return {.state = State::failed, .why = std::move(why)};
}

bool is_response(int status) {
    return (status >= 200 && status < 300) || (status >= 400 && status < 500);
}

}  // namespace

std::optional<CallEnd> meaning_of(const Exchanged& exchanged, const CallDefinition& call) {
    if (exchanged.how == How::not_sent)
        return not_executed("the service that executes it could not be reached");
    if (exchanged.how == How::unknown) return std::nullopt;
    const int status = exchanged.response.status;
    if (std::ranges::contains(call.unknown, status)) return std::nullopt;
    if (std::ranges::contains(call.not_executed, status))
        return not_executed(std::format("the service answered with status {}: it did nothing", status));
    if (is_response(status)) return CallEnd{.response = exchanged.response};
    return std::nullopt;
}

std::optional<CallEnd> meaning_of(const Exchanged& exchanged, const CallQuery& query) {
    if (exchanged.how != How::answered) return std::nullopt;
    const int status = exchanged.response.status;
    if (std::ranges::contains(query.found, status)) return CallEnd{.response = exchanged.response};
    if (std::ranges::contains(query.absent, status))
        return not_executed("the service that executes it did not get it");
    return std::nullopt;
}

CallEnd nobody_knows() {
    return {.state = State::given_up,
            .why =
                "the service that executes it did not say whether it did, and cannot be asked: "
                "somebody has to look there"};
}

}  // namespace sluice::command
