#include "ctl/send/traffic/body_template.hpp"

#include <algorithm>
#include <format>

#include "common/time_text.hpp"
#include "ctl/cli/exit.hpp"

namespace sluice::ctl {
namespace {

// Objects were made long ago, at a time that a second run with the same seed gives again: what the
// content digest covers must not depend on when the run was started.
constexpr std::int64_t objects_created = 1'789'000'000;

const Json* value_of(const Values& values, std::string_view name) {
    const auto found = std::ranges::find(values, name, &Values::value_type::first);
    return found == values.end() ? nullptr : &found->second;
}

/// For providers whose ids are numbers: the same for the same id.
std::int64_t number_of(std::string_view id) {
    std::uint64_t hash = 14'695'981'039'346'656'037U;  // FNV-1a
    for (const char c : id) hash = (hash ^ static_cast<unsigned char>(c)) * 1'099'511'628'211U;
    return static_cast<std::int64_t>(1'000'000'000'000U + hash % 1'000'000'000'000U);
}

/// The provider's clock in China, as it writes it: 2026-11-22 16:40:00.
std::string in_china(std::int64_t unix_seconds) {
    constexpr std::int64_t eight_hours = 8 * 3600;
    std::string text = to_rfc3339(WallTime{std::chrono::seconds{unix_seconds + eight_hours}}).substr(0, 19);
    text[10] = ' ';
    return text;
}

std::string digits_of(std::string text) {
    std::erase_if(text, [](char c) { return c < '0' || c > '9'; });
    return text;
}

std::string text_of(const Json& value) {
    return value.is_string() ? value.get<std::string>() : to_line(value);
}

Json filled_text(const std::string& text, const Values& values) {
    std::string result;
    std::size_t from = 0;
    for (std::size_t open = text.find("{{"); open != std::string::npos; open = text.find("{{", from)) {
        const std::size_t close = text.find("}}", open);
        if (close == std::string::npos) break;
        const Json* value = value_of(values, std::string_view{text}.substr(open + 2, close - open - 2));
        if (value != nullptr && open == 0 && close + 2 == text.size()) return *value;
        result += text.substr(from, open - from);
        result += value != nullptr ? text_of(*value) : text.substr(open, close + 2 - open);
        from = close + 2;
    }
    return result + text.substr(from);
}

}  // namespace

Values values_of(const SampleEvent& event) {
    const WallTime created{std::chrono::seconds{event.created}};
    return {{"event", event.id},
            {"object", event.object},
            {"charge", event.charge},
            {"customer", event.customer},
            {"order", "order-" + event.object.substr(event.object.size() -
                                                     std::min<std::size_t>(8, event.object.size()))},
            {"amount", event.amount},
            {"before", event.before},
            {"after", event.after},
            {"is_whole", event.after == event.amount},
            {"step", event.step},
            {"step_text", std::to_string(event.step)},
            {"step_before_text", std::to_string(event.step - 1)},
            {"created", event.created},
            {"created_text", to_rfc3339(created)},
            {"object_created", objects_created},
            {"object_created_text", to_rfc3339(WallTime{std::chrono::seconds{objects_created}})},
            {"object_created_in_china", in_china(objects_created)},
            {"object_created_digits", digits_of(in_china(objects_created))},
            {"created_in_china", in_china(event.created)},
            {"amount_text", std::format("{}.{:02}", event.amount / 100, event.amount % 100)},
            {"event_number", number_of(event.id)},
            {"object_number", number_of(event.object)},
            {"nonce", std::to_string(number_of(event.id)).substr(0, 12)}};
}

Json filled(const Json& body, const Values& values) {
    if (body.is_string()) return filled_text(body.get_ref<const std::string&>(), values);
    if (!body.is_structured()) return body;
    Json result = body;
    for (auto& child : result) child = filled(child, values);
    return result;
}

Edit edit_from_text(const std::string& text) {
    const std::size_t equals = text.find('=');
    const std::string where = text.substr(0, equals);
    if (equals == std::string::npos || !where.starts_with('/')) {
        throw Stopped{Exit::usage, "--set must be /pointer=value, not \"" + text + "\""};
    }
    try {
        return {.pointer = Json::json_pointer{where}, .value = text.substr(equals + 1)};
    } catch (const Json::exception&) {
        throw Stopped{Exit::usage, "--set: \"" + where + "\" is not a JSON pointer"};
    }
}

std::string warning_of_added(const std::string& place) {
    return "sluicectl: --set: " + place + " is not in the sample: added\n";
}

void apply(const Edit& edit, Json& body, bool is_form) {
    Json value = edit.value;
    if (!is_form) value = parse_json(edit.value).value_or(std::move(value));
    try {
        body[edit.pointer] = std::move(value);
    } catch (const Json::exception&) {
        throw Stopped{Exit::usage,
                      "--set: " + edit.pointer.to_string() + " leads through a value that has no members"};
    }
}

}  // namespace sluice::ctl
