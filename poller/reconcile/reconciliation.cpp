#include "poller/reconcile/reconciliation.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "common/crypto/digest.hpp"
#include "common/time_text.hpp"
#include "poller/parcel/event_parcels.hpp"
#include "poller/reconcile/broken_off.hpp"

namespace sluice::poller {
namespace {

using std::chrono::days;
using std::chrono::sys_days;

constexpr int pages_between_words = 50;

/// Where the whole list is not asked, or no whole day of it.
std::string why_nothing_is_compared(const PollSettings& poll) {
    if (poll.wanted.undelivered) return "only events whose delivery failed were asked for";
    if (!poll.wanted.types.empty()) return "poll.types leaves types out";
    return {};
}

Report empty_report(const PollSettings& poll, const ReconcileOrder& order) {
    Report report = report_of(*poll.source);
    report.types = poll.wanted.types;
    report.cuts = order.window.cuts;
    report.window = order.window.window;
    report.applies = order.applies;
    report.why_not_compared = "the window holds no whole UTC day";
    return report;
}

}  // namespace

Keeping keeping_of(const PollSettings& poll, days inbox, Books& books) {
    return {.overlap = poll.overlap,
            .retention = poll.list->facts().retention,
            .inbox = inbox,
            .dropped_before = books.dropped_before()};
}

Reconciliation::Reconciliation(const PollSettings& poll, ReconcileOrder order, const ReconcileWays& ways,
                               std::function<void(const Report&, WallTime)> progress)
    : poll_{poll},
      order_{std::move(order)},
      ways_{ways},
      progress_{std::move(progress)},
      report_{empty_report(poll, order_)},
      window_{order_.window.window},
      reader_{poll, ways.account, ways.metrics, ways.clock, order_.window.window.from},
      days_{{poll.source->provider, poll.source->principal}},
      read_until_{order_.window.window.from},
      next_day_{day_of(order_.window.window.from)},
      served_since_{order_.before_first ? WallTime::min() : WallTime::max()} {
    if (order_.applies) injector_.emplace(*poll.source, report_.id, *ways.outlet, ways.clock);
}

Report Reconciliation::run(const std::stop_token& stop) {
    try {
        compare_all(stop);
    } catch (const BrokenOff& why) {
        report_.broken_off = why.what();
    }
    return std::move(report_);
}

void Reconciliation::compare_all(const std::stop_token& stop) {
    auto events = reader_.next(stop);
    begin(reader_.asked_at());
    while (events) {
        take(*events, stop);
        if (events->newest >= window_.until) break;
        events = reader_.next(stop);
    }
    done_before(std::chrono::ceil<days>(window_.until));
    ways_.books.ended(report_.id, report_.counts);
}

/// By the provider's clock, which the first answer has told, the end may be too young.
void Reconciliation::begin(WallTime asked_at) {
    CutWindow window{window_, report_.cuts};
    cut_end(window, asked_at, poll_.overlap);
    report_.cuts = std::move(window.cuts);
    if (window.window.is_empty())
        throw BrokenOff{"by the provider's clock all of this time is too young to be compared"};
    report_.window = window_ = window.window;
    auto start = start_of(report_.id, *poll_.source, order_.kind);
    start.applies = order_.applies;
    start.from = window_.from;
    start.until = window_.until;
    start.operator_name = order_.operator_name;
    start.reason = order_.reason;
    ways_.books.begin(start);
}

void Reconciliation::take(const WindowReader::Events& events, const std::stop_token& stop) {
    for (const std::size_t event : events.unplaced) unreadable(events.page.events[event]);
    found_missing(events.page, missing_of(seen_in(events)), stop);
    const sys_days before = next_day_;
    read_until_ = std::max(read_until_, events.newest);
    done_before(std::min(day_of(read_until_), std::chrono::ceil<days>(window_.until)));
    if (progress_ && (next_day_ != before || ++pages_ % pages_between_words == 0))
        progress_(report_, std::min(read_until_, window_.until));
}

std::vector<Reconciliation::Seen> Reconciliation::seen_in(const WindowReader::Events& events) {
    std::vector<Seen> seen;
    webhook::Extracted extracted;
    for (const std::size_t number : events.wanted) {
        const RawEvent& event = events.page.events[number];
        const WallTime created = event.place->created;
        if (!window_.holds(created)) continue;
        if (!extract_listed(extracted, *poll_.source, event.bytes, view_)) {
            unreadable(event);
            continue;
        }
        const record::EventHeaders& headers = extracted.headers;
        const store::InboxKey key{headers.event_day, headers.dedup_key};
        if (!days_.saw(key, headers.livemode, created)) continue;
        seen.push_back({number, key, {headers.event_id, headers.type, created, {}}});
    }
    report_.counts.listed += static_cast<std::int64_t>(seen.size());
    return seen;
}

void Reconciliation::unreadable(const RawEvent& event) {
    const crypto::Digest digest = crypto::sha256(event.bytes);
    if (unreadable_.knows(crypto::as_text(digest))) return;
    unreadable_.keep(crypto::as_text(digest));
    ++report_.counts.listed;
    ++report_.unreadable;
}

std::vector<Reconciliation::Seen> Reconciliation::missing_of(std::vector<Seen> seen) {
    std::vector<store::InboxKey> keys;
    for (const Seen& one : seen) keys.push_back(one.key);
    const auto known = ways_.books.known(keys);
    std::map<store::InboxKey, const store::KnownEvent*> by_key;
    for (const auto& event : known) by_key.emplace(event.key, &event);
    // Before each page: what goes meanwhile may be missing for that reason alone.
    const auto dropped = known.size() < seen.size() ? ways_.books.dropped_before() : std::nullopt;
    std::vector<Seen> missing;
    for (Seen& one : seen) {
        const auto found = by_key.find(one.key);
        const auto* const event = found == by_key.end() ? nullptr : found->second;
        const Standing standing = standing_of(one.key, event, dropped);
        if (standing == Standing::too_old) ++report_.too_old;
        if (standing == Standing::not_applied) not_applied(one.event, event->status);
        if (event != nullptr && event->received_at)
            served_since_ = std::min(served_since_, *event->received_at);
        one.is_served = one.event.created >= served_since_;
        if (standing == Standing::missing) missing.push_back(std::move(one));
    }
    return missing;
}

void Reconciliation::not_applied(ReportedEvent event, store::InboxStatus status) {
    ++report_.counts.not_applied;
    event.state = store::name_of(status);
    list_in(report_.not_applied, std::move(event));
}

void Reconciliation::found_missing(const RawPage& page, std::vector<Seen> missing,
                                   const std::stop_token& stop) {
    if (missing.empty()) return;
    const std::size_t room = Report::most_events - report_.missing.size();
    const std::size_t noted = std::min(room, missing.size());
    std::vector<store::MissingRow> rows;
    for (const Seen& one : std::span{missing}.first(noted))
        rows.push_back({one.key, one.event.id, one.event.type, one.event.created});
    ways_.books.missing(report_.id, rows);
    report_.counts.missing += static_cast<std::int64_t>(missing.size());
    for (Seen& one : missing) {
        one.event.state = "missing";
        list_in(report_.missing, one.event);
    }
    const std::span<ReportedEvent> reported = std::span{report_.missing}.last(noted);
    const std::size_t before = before_first(missing, reported);
    std::string broken_off;
    if (injector_ && before < missing.size())
        broken_off =
            inject(page, std::span{missing}.subspan(before), reported.subspan(std::min(before, noted)), stop);
    ways_.books.so_far(report_.id, report_.counts);
    if (!broken_off.empty()) throw BrokenOff{broken_off};
}

/// The report first: MySQL may fail in the middle, and Kafka has them all the same.
std::string Reconciliation::inject(const RawPage& page, std::span<const Seen> missing,
                                   std::span<ReportedEvent> reported, const std::stop_token& stop) {
    std::vector<std::size_t> numbers;
    for (const Seen& one : missing) numbers.push_back(one.number);
    auto [kept, broken_off] = injector_->inject(page, numbers, stop);
    for (std::size_t i = 0; i < kept.size(); ++i) {
        report_.counts.injected += kept[i] ? 1 : 0;
        if (i < reported.size()) reported[i].state = kept[i] ? "injected" : "not injected";
    }
    for (std::size_t i = 0; i < reported.size(); ++i)
        if (kept[i]) ways_.books.injected(report_.id, missing[i].key);
    return broken_off;
}

std::size_t Reconciliation::before_first(std::span<const Seen> missing, std::span<ReportedEvent> reported) {
    const auto served = std::ranges::find_if(missing, &Seen::is_served);
    const auto before = static_cast<std::size_t>(served - missing.begin());
    for (ReportedEvent& event : reported.first(std::min(before, reported.size())))
        event.state = "before the first";
    report_.before_first += static_cast<std::int64_t>(before);
    return before;
}

void Reconciliation::done_before(sys_days day) {
    for (; next_day_ < day; next_day_ += days{1}) {
        if (window_.holds_day(next_day_)) compare_rows(next_day_);
        days_.forget(next_day_);
        ways_.books.so_far(report_.id, report_.counts);
    }
}

/// The list was read first, of a time that had settled: whatever the inbox gets meanwhile stood there.
void Reconciliation::compare_rows(sys_days day) {
    auto why = why_nothing_is_compared(poll_);
    if (why.empty()) why = days_.why_not_compared();
    if (!why.empty()) {
        report_.why_not_compared = std::move(why);
        return;
    }
    std::int64_t not_there = report_.counts.not_there.value_or(0);
    std::optional<crypto::Digest> after;
    for (auto rows = ways_.books.rows_of_day(day, after); !rows.empty();
         rows = ways_.books.rows_of_day(day, after)) {
        after = rows.back().dedup_key;
        for (store::DayRow& row : rows) {
            if (!poll_.list->has_type(row.type) || !days_.lacks(day, row)) continue;
            ++not_there;
            list_in(report_.not_there, {std::move(row.event_id), std::move(row.type), day,
                                        std::string{store::name_of(row.status)}});
        }
    }
    report_.counts.not_there = not_there;
    ++report_.days_compared;
}

}  // namespace sluice::poller
