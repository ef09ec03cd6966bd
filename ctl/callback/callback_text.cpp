#include "ctl/callback/callback_text.hpp"

#include <charconv>
#include <format>

#include "common/crypto/encoding.hpp"
#include "common/redact/payload.hpp"
#include "common/time_text.hpp"
#include "ctl/cli/table.hpp"
#include "ctl/cli/time_words.hpp"

namespace sluice::ctl {
namespace {

using store::CallbackPlace;

char letter_of(CallbackPlace::Log log) {
    return log == CallbackPlace::Log::events ? 'e' : 'c';
}

template <class Number>
bool take_number(std::string_view& text, Number& number) {
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
    return error == std::errc{} && number >= 0;
}

bool take_letter(std::string_view& text, char letter) {
    const bool is_there = text.starts_with(letter);
    if (is_there) text.remove_prefix(1);
    return is_there;
}

std::string printable(const std::string& text) {
    return redact::without_control_bytes(text);
}

/// What was decided, and by which check or limit.
std::string outcome_of(const store::ListedCallback& callback) {
    std::string text = callback.verdict;
    if (!callback.reason.empty()) text += ": " + callback.reason;
    return redact::without_control_bytes(text);
}

Json text_or_nothing(const std::string& text) {
    return text.empty() ? Json(nullptr) : Json(redact::without_control_bytes(text));
}

template <class Number>
Json number_or_nothing(const std::optional<Number>& number) {
    return number ? Json(*number) : Json(nullptr);
}

std::string number_text(const std::optional<std::int64_t>& number) {
    return number ? std::to_string(*number) : "";
}

std::string payment_text(const store::ListedCallback& callback) {
    return callback.amount ? std::format("{}, {} {}", callback.payment, *callback.amount, callback.currency)
                           : callback.payment;
}

Json headers_json(const store::ListedCallback& callback) {
    return parse_json(callback.headers).value_or(Json(nullptr));
}

std::string headers_text(const store::ListedCallback& callback) {
    std::string text;
    for (const Json& header : headers_json(callback)) {
        if (!header.is_array() || header.size() != 2) continue;
        text += std::format("{}: {}\n", header[0].get<std::string>(), header[1].get<std::string>());
    }
    return redact::without_control_bytes(text);
}

std::string body_text(const store::ListedCallback& callback) {
    if (callback.body) return "\nbody, masked\n" + redact::masked_body(*callback.body) + "\n";
    const bool is_archived = callback.verdict == "accepted" || callback.verdict == "polled";
    if (is_archived) return "\nThe request is with its event: sluicectl event show --body EVENT\n";
    return "\nThe body was not kept.\n";
}

}  // namespace

std::string callback_id(const store::ListedCallback& callback) {
    const CallbackPlace& at = callback.place;
    std::string id = to_text(callback.day);
    std::erase(id, '-');
    id += std::format("-{}{}-{}", letter_of(at.log), at.partition, at.offset);
    return at.number == 0 ? id : std::format("{}.{}", id, at.number);
}

std::optional<std::pair<std::chrono::sys_days, CallbackPlace>> callback_named(std::string_view id) {
    constexpr std::size_t digits = 8;
    if (id.size() < digits) return std::nullopt;
    const auto day =
        day_from_text(std::format("{}-{}-{}", id.substr(0, 4), id.substr(4, 2), id.substr(6, 2)));
    id.remove_prefix(digits);
    CallbackPlace place;
    if (!day || !take_letter(id, '-')) return std::nullopt;
    place.log = id.starts_with('e') ? CallbackPlace::Log::events : CallbackPlace::Log::callbacks;
    if (!take_letter(id, letter_of(place.log)) || !take_number(id, place.partition)) return std::nullopt;
    if (!take_letter(id, '-') || !take_number(id, place.offset)) return std::nullopt;
    if (take_letter(id, '.') && !take_number(id, place.number)) return std::nullopt;
    if (!id.empty()) return std::nullopt;
    return std::pair{*day, place};
}

std::string callbacks_table(const std::vector<store::ListedCallback>& callbacks) {
    Table table{
        {"ID", "RECEIVED", "SOURCE", "CLIENT", "ANSWER", "VERDICT", "REQUESTS", "EVENT", "TYPE", "BECAME"}};
    for (const auto& one : callbacks)
        table.row({callback_id(one), short_time(one.received_at), printable(one.source),
                   printable(one.client), number_text(one.status), outcome_of(one),
                   std::to_string(one.requests), printable(one.event_id), printable(one.type),
                   one.event_status});
    return table.text();
}

std::string requests_table(const std::vector<store::ListedCallback>& callbacks) {
    Table table{{"ID", "RECEIVED", "SOURCE", "CLIENT", "ANSWER", "VERDICT", "REQUESTS"}};
    for (const auto& one : callbacks)
        table.row({callback_id(one), short_time(one.received_at), printable(one.source),
                   printable(one.client), number_text(one.status), outcome_of(one),
                   std::to_string(one.requests)});
    return table.text();
}

std::string callback_text(const store::ListedCallback& callback) {
    std::string text;
    const auto line = [&](std::string_view name, const std::string& value) {
        if (!value.empty()) text += std::format("{:<9} {}\n", name, redact::without_control_bytes(value));
    };
    line("callback", callback_id(callback));
    line("received", short_time(callback.received_at));
    line("source", callback.source.empty() ? "none has this address" : callback.source);
    line("client", callback.client);
    line("verdict", outcome_of(callback));
    line("answer", number_text(callback.status));
    if (callback.requests > 1) line("requests", std::to_string(callback.requests));
    line("took",
         callback.took_us ? std::format("{:.3f} ms", static_cast<double>(*callback.took_us) / 1000) : "");
    line("body", callback.body_size ? std::format("{} bytes", *callback.body_size) : "");
    line("trace", crypto::to_hex(callback.trace));
    line("event", callback.event_id.empty() ? "" : callback.event_id + ", " + callback.type);
    line("object", callback.object_key);
    line("payment", payment_text(callback));
    line("became", callback.event_status);
    line("effects", callback.had_effects);
    if (const std::string headers = headers_text(callback); !headers.empty()) text += "\nheaders\n" + headers;
    return callback.requests > 1 ? text : text + body_text(callback);
}

Json callback_json(const store::ListedCallback& callback) {
    Json json{{"id", callback_id(callback)},
              {"received_at", to_rfc3339(callback.received_at)},
              {"source", text_or_nothing(callback.source)},
              {"client", text_or_nothing(callback.client)},
              {"verdict", text_or_nothing(callback.verdict)},
              {"reason", text_or_nothing(callback.reason)},
              {"status", number_or_nothing(callback.status)},
              {"requests", callback.requests},
              {"took_us", number_or_nothing(callback.took_us)},
              {"body_size", number_or_nothing(callback.body_size)},
              {"trace", text_or_nothing(crypto::to_hex(callback.trace))},
              {"event_id", text_or_nothing(callback.event_id)},
              {"type", text_or_nothing(callback.type)},
              {"object_key", text_or_nothing(callback.object_key)},
              {"event_status", text_or_nothing(callback.event_status)},
              {"had_effects", parse_json(callback.had_effects).value_or(Json(nullptr))},
              {"payment", text_or_nothing(callback.payment)},
              {"amount", number_or_nothing(callback.amount)},
              {"currency", text_or_nothing(callback.currency)}};
    return json;
}

Json whole_callback_json(const store::ListedCallback& callback) {
    Json json = callback_json(callback);
    json["headers"] = headers_json(callback);
    json["body"] = callback.body ? Json(redact::masked_body(*callback.body)) : Json(nullptr);
    return json;
}

}  // namespace sluice::ctl
