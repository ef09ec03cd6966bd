#include "common/config/connections.hpp"

namespace sluice::config {
namespace {

std::chrono::days read_keep(Section& inbox, std::chrono::days standard) {
    using std::chrono::days;
    constexpr days most{3'650};
    const auto keep = inbox.duration("keep", standard, days{1}, most);
    const auto whole = std::chrono::floor<days>(keep);
    if (whole != keep)
        inbox.problem_at("keep", "inbox.keep must be whole days, such as 90d: partitions are dropped by day");
    return whole;
}

}  // namespace

InboxSettings read_inbox(const Document& document, Problems&) {
    auto inbox = document.section("inbox");
    InboxSettings settings;
    settings.keep = read_keep(inbox, settings.keep);
    const auto payload = inbox.one_of("payload", {"all", "failed", "none"}, "all");
    if (payload == "failed") settings.payload = InboxSettings::Payload::failed;
    if (payload == "none") settings.payload = InboxSettings::Payload::none;
    return settings;
}

}  // namespace sluice::config
