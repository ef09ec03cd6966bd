#include "command/config/hot.hpp"

#include <algorithm>

#include "common/metering/rate.hpp"

namespace sluice::command {
namespace {

using namespace std::chrono_literals;

constexpr double least_above = 1;
constexpr double usual_part = 0.2;  // of `above`: below it an account is hot no longer

double read_rate(config::Section& section, std::string_view key) {
    if (!section.has(key)) return 0;
    const auto text = section.text(key, "");
    const auto rate = rate_in(text);
    if (!rate) section.problem_at(key, "'" + text + "' is no rate: write one such as 50/s, 600/m or 1000/h");
    return rate.value_or(0);
}

std::optional<webhook::Pointer> pointer_in(const std::string& text, const std::vector<Bounded>& parameters) {
    if (text.starts_with(':')) {
        const auto named = [&](const Bounded& one) { return one.parameter.name == text.substr(1); };
        const auto found = std::ranges::find_if(parameters, named);
        if (found == parameters.end() || found->parameter.from.empty()) return std::nullopt;
        return found->parameter.from.front().pointer;
    }
    auto pointer = webhook::Pointer::parse(text);
    if (!pointer || text.empty()) return std::nullopt;
    return std::move(*pointer);
}

Answers::Template read_answer(config::Section section, effects::NameScope& names) {
    Answers::Template answer{.outcome = "accepted", .body = nullptr, .place = section.place()};
    answer.status = static_cast<int>(section.integer("status", 202, 200, 299));
    const auto body = section.value("body");
    if (!body) section.problem("body is missing: what the answer says, as in {charged: \":price\"}");
    if (body) answer.body = effects::MessageBody::read(*body, names);
    if (answer.body && answer.body->least_size() > longest_response)
        body->problem("an answer has at most 64 KiB");
    return answer;
}

void read_rates(config::Section& section, Hot& hot) {
    hot.above = read_rate(section, "above");
    if (hot.above > 0 && hot.above < least_above)
        section.problem_at("above",
                           "above must be 1/s or more, or one command would make an account hot: its rate is "
                           "that of ten seconds");
    hot.back_below = section.has("back_below") ? read_rate(section, "back_below") : hot.above * usual_part;
    if (hot.above == 0 && section.has("back_below"))
        section.problem_at("back_below", "back_below is of use only with above");
    if (hot.above > 0 && hot.back_below >= hot.above)
        section.problem_at("back_below", "back_below must be less than above, or accounts go back and forth");
    if (hot.list.empty() && !section.has("above"))
        section.problem("hot needs a list, or a rate above which an account is hot");
}

}  // namespace

Hot read_hot(config::Section section, const std::vector<Bounded>& parameters, effects::NameScope& names) {
    Hot hot;
    const auto account = section.required_text("account");
    hot.account = pointer_in(account, parameters);
    if (!account.empty() && !hot.account)
        section.problem_at("account", "'" + account +
                                          "' is neither a parameter, as in :merchant, nor a JSON pointer, as "
                                          "in /merchant");
    hot.list = section.text("list", "");
    read_rates(section, hot);
    hot.delay = section.duration("delay", 0s, 0s, 1h);
    if (section.has("answer")) hot.answer = read_answer(section.section("answer"), names);
    return hot;
}

std::optional<double> rate_in(std::string_view text) {
    const auto rate = metering::parse_rate(text);
    if (!rate) return std::nullopt;
    return std::chrono::duration<double>{1s} / rate->every;
}

std::optional<std::string> account_of(const Hot& hot, const webhook::JsonView& body) {
    if (const auto text = body.string(*hot.account); text && !text->empty()) return std::string{*text};
    if (const auto number = body.integer(*hot.account)) return std::to_string(*number);
    return std::nullopt;
}

}  // namespace sluice::command
