#include "poller/list/page.hpp"

#include <algorithm>
#include <cstdint>

#include "common/error.hpp"
#include "common/time_text.hpp"

namespace sluice::poller {
namespace {

// Of the year 9999.
constexpr std::int64_t last_second = 253'402'300'799;

webhook::Pointer pointer(std::string_view text) {
    return webhook::Pointer::parse(text).value();
}

bool can_be_kept(std::string_view id) {
    return !id.empty() && id.size() <= longest_id &&
           std::ranges::all_of(id, [](char c) { return c > ' ' && c < '\x7f'; });
}

std::string text_at(std::string_view at, const webhook::JsonView& view) {
    return std::string{view.string(pointer(at)).value_or("")};
}

std::optional<WallTime> time_at(std::string_view at, const webhook::JsonView& view) {
    if (const auto written = view.string(pointer(at))) {
        const auto time = from_rfc3339(*written);
        return time >= WallTime{} ? time : std::nullopt;
    }
    const auto seconds = view.integer(pointer(at));
    if (!seconds || *seconds < 0 || *seconds > last_second) return std::nullopt;
    return WallTime{std::chrono::seconds{*seconds}};
}

std::optional<Place> place_in(const PageForm& form, const webhook::JsonView& event) {
    auto id = text_at(form.id, event);
    const auto created = time_at(form.created, event);
    if (!created || !can_be_kept(id)) return std::nullopt;
    return Place{.id = std::move(id), .created = *created};
}

/// Empty where a part of it is missing.
std::string type_in(const PageForm& form, const webhook::JsonView& event) {
    std::string type;
    for (const auto part : form.type) {
        const auto word = text_at(part, event);
        if (word.empty()) return {};
        type += (type.empty() ? "" : ".") + word;
    }
    return type;
}

WallTime created_of(const RawEvent& event) {
    return event.place ? event.place->created : WallTime{};
}

Result<std::vector<RawEvent>> read_events(const PageForm& form, const Wanted& wanted,
                                          const webhook::JsonView& page) {
    const auto elements = page.elements(pointer(form.events));
    if (!elements) return Failure{errc::unreadable_body};
    std::vector<RawEvent> events;
    // Each by itself: one with text that the DOM cannot hold would have the whole page searched for each
    // value.
    webhook::JsonView event;
    for (const auto bytes : *elements) {
        // The padding of the page is behind the last one.
        (void)event.read_padded(bytes);
        events.push_back({bytes, place_in(form, event), wanted.takes(type_in(form, event))});
    }
    if (form.newest_first) std::ranges::reverse(events);
    if (form.by_token) std::ranges::stable_sort(events, {}, created_of);
    return events;
}

Result<bool> read_more(const PageForm& form, const webhook::JsonView& view) {
    const auto at = pointer(form.more);
    if (const auto flag = view.boolean(at)) return *flag;
    const auto type = view.type(at);
    if (type == webhook::JsonType::string) return true;
    if (type == webhook::JsonType::null) return false;
    return Failure{errc::unreadable_body};
}

}  // namespace

Result<RawPage> read_page(const PageForm& form, const Wanted& wanted, std::string_view body,
                          webhook::JsonView& view) {
    if (!view.read(body)) return Failure{errc::unreadable_body};
    const auto more = read_more(form, view);
    if (!more) return Failure{more.error()};
    auto events = read_events(form, wanted, view);
    if (!events) return Failure{events.error()};
    const auto has_place = [](const RawEvent& event) { return event.place.has_value(); };
    std::string next = form.by_token ? text_at(form.more, view) : std::string{};
    const bool says_where = form.by_token ? !next.empty() : std::ranges::any_of(*events, has_place);
    if (*more && !says_where) return Failure{errc::unreadable_body};
    return RawPage{.events = std::move(*events), .has_more = *more, .next = std::move(next)};
}

std::string word_of(std::string_view at, std::string_view body, webhook::JsonView& view) {
    return view.read(body) ? text_at(at, view) : std::string{};
}

Fault fault_of(int status) noexcept {
    if (status == 429) return Fault::limited;
    // 408: it waited too long for us. 409, 425: not now.
    if (status >= 500 || status == 408 || status == 409 || status == 425) return Fault::server;
    return Fault::refused;
}

}  // namespace sluice::poller
