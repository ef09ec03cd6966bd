#include <algorithm>

#include "common/config/settings/connections.hpp"

namespace sluice::config {
namespace {

using std::chrono::days;

constexpr days longest_keep{3'650};

days read_keep(Section& inbox, days fallback) {
    const auto keep = inbox.duration("keep", fallback, days{1}, longest_keep);
    const auto whole = std::chrono::floor<days>(keep);
    if (whole != keep)
        inbox.problem_at("keep", "inbox.keep must be whole days, such as 90d: partitions are dropped by day");
    return whole;
}

days read_keep_closed(Section& inbox, days keep, days fallback) {
    const auto closed = std::chrono::floor<days>(
        inbox.duration("keep_closed", std::max(fallback, keep), days{1}, longest_keep));
    if (closed < keep)
        inbox.problem_at("keep_closed",
                         "inbox.keep_closed must not be shorter than inbox.keep: an entry would be deleted "
                         "before its event");
    return closed;
}

std::optional<std::chrono::days> read_keep_undated(Section& inbox, std::chrono::days keep) {
    using std::chrono::days;
    if (inbox.text("keep_undated", "forever") == "forever") return std::nullopt;
    const auto kept = inbox.duration("keep_undated", keep, days{1}, days{36'500});
    const auto whole = std::chrono::floor<days>(kept);
    if (whole != kept || whole < keep)
        inbox.problem_at("keep_undated",
                         "inbox.keep_undated must be forever or whole days, and at least inbox.keep (" +
                             std::to_string(keep.count()) + "d)");
    return whole;
}

}  // namespace

InboxSettings read_inbox(const Document& document, Problems&) {
    auto inbox = document.section("inbox");
    InboxSettings settings;
    settings.keep = read_keep(inbox, settings.keep);
    settings.keep_closed = read_keep_closed(inbox, settings.keep, settings.keep_closed);
    settings.keep_undated = read_keep_undated(inbox, settings.keep);
    const auto payload = inbox.one_of("payload", {"all", "failed", "none"}, "all");
    if (payload == "failed") settings.payload = InboxSettings::Payload::failed;
    if (payload == "none") settings.payload = InboxSettings::Payload::none;
    return settings;
}

}  // namespace sluice::config
