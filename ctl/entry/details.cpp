#include "ctl/entry/details.hpp"

#include <charconv>

#include "common/record/header_bytes.hpp"
#include "common/record/separated.hpp"
#include "consumer/store/inbox/payload.hpp"
#include "ctl/cli/database.hpp"
#include "ctl/entry/read_trouble.hpp"

namespace sluice::ctl {
namespace {

constexpr std::int64_t many_dead_letters = 100;

std::optional<std::int64_t> number_in(const std::string& text) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return number;
}

void keep_headers(std::string_view bytes, DeadLetterDetails& details) {
    const auto headers = record::headers_from(bytes);
    if (!headers) return;
    details.headers = record::separated(*headers);
}

bool take_from_entry(DeadLetterDetails& details) {
    if (!details.dead_letter.body) return false;
    details.body = details.dead_letter.body;
    details.body_from = "the entry";
    keep_headers(details.dead_letter.headers.value_or(""), details);
    return true;
}

bool take_from_lane(store::Connection& connection, const config::MysqlSettings& settings,
                    DeadLetterDetails& details) {
    const auto& place = details.dead_letter.place;
    if (!place) return false;
    const auto record =
        value_or_stop(store::read_record(connection, place->lane, place->position), settings, connection);
    if (!record) return false;
    details.body = record->body;
    details.body_from = "the lane";
    details.edited = record->edited;
    keep_headers(record->headers, details);
    return true;
}

/// What the provider sent, also where an operator has edited it.
void take_from_archive(store::Connection& connection, const config::MysqlSettings& settings,
                       DeadLetterDetails& details) {
    // The inbox row that a conflict names is the other event's.
    if (!details.dead_letter.inbox || !store::is_of_an_event(details.dead_letter.kind)) return;
    const auto payload =
        value_or_stop(store::find_payload(connection, *details.dead_letter.inbox), settings, connection);
    if (!payload) return;
    details.body = payload->body;
    details.body_from = "the archive";
}

}  // namespace

DeadLetterDetails details_of(store::Connection& connection, const config::MysqlSettings& settings,
                             const store::DeadLetterRow& dead_letter) {
    DeadLetterDetails details;
    const auto whole =
        value_or_stop(store::find_dead_letter(connection, dead_letter.id), settings, connection);
    details.dead_letter = whole ? *whole : dead_letter;
    details.trouble = trouble_of_dead_letter(connection, settings, details.dead_letter);
    if (details.dead_letter.place && details.dead_letter.is_open()) {
        details.waiting = value_or_stop(store::waiting_behind(connection, *details.dead_letter.place),
                                        settings, connection);
    }
    if (!take_from_entry(details) && !take_from_lane(connection, settings, details)) {
        take_from_archive(connection, settings, details);
    }
    if (!details.body && details.dead_letter.closed_at) {
        details.erased = value_or_stop(
            store::erased_since(connection, details.dead_letter.object_key, *details.dead_letter.closed_at),
            settings, connection);
    }
    return details;
}

std::vector<store::DeadLetterRow> dead_letters_named(store::Connection& connection,
                                                     const config::MysqlSettings& settings,
                                                     const std::string& name) {
    if (const auto id = number_in(name)) {
        auto dead_letter = value_or_stop(store::find_dead_letter(connection, *id), settings, connection);
        if (dead_letter) return {std::move(*dead_letter)};
    }
    store::DeadLetterFilter filter{.which = store::DeadLetterFilter::Which::any};
    filter.event_id = name;
    return value_or_stop(store::list_dead_letters(connection, filter, many_dead_letters), settings,
                         connection);
}

}  // namespace sluice::ctl
