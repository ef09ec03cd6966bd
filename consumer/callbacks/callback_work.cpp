#include "consumer/callbacks/callback_work.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "common/error.hpp"
#include "common/failpoint.hpp"
#include "common/time_text.hpp"
#include "consumer/apply/setback.hpp"
#include "consumer/store/driver/named_lock.hpp"
#include "consumer/store/driver/open_transaction.hpp"

namespace sluice::consumer {
namespace {

constexpr std::size_t most_records = 500;
constexpr std::size_t most_bytes = std::size_t{4} << 20;
constexpr std::chrono::seconds row_lock_wait{1};
constexpr std::chrono::seconds lock_wait{5};
constexpr Milliseconds after_a_lost_lock{50};
constexpr int most_failed_looks = 3;  // of one record alone

Counter& counter_of(Metrics& metrics, const char* what) {
    return metrics.counter(
        "sluice_consumer_callbacks_total",
        "Callbacks by what happened to them: recorded, or refused by MySQL; foreign: records "
        "of the two topics that are none of the ingress's",
        {{"what", what}});
}

}  // namespace

CallbackWork::CallbackWork(store::CallbackPlace::Log log, OffsetWriter writer, Partitions& partitions,
                           Process& process)
    : log_{log},
      sources_{process.config.sources},
      clock_{process.clock},
      lines_{process.log},
      partitions_{partitions},
      random_{static_cast<Random::result_type>(std::hash<std::string>{}(writer.name))},
      database_{process.config.mysql, process.log, process.readiness,
                process.clock,        random_,     process.server_moves},
      checked_{database_, partitions, std::move(writer), process.log, process.metrics},
      anomalies_{process.config.callbacks, process.log, process.metrics},
      recorded_{counter_of(process.metrics, "recorded")},
      foreign_{counter_of(process.metrics, "foreign")},
      refused_{counter_of(process.metrics, "refused")},
      at_once_{most_records} {}

void CallbackWork::export_counters(Metrics& metrics) {
    for (const char* what : {"recorded", "foreign", "refused"}) (void)counter_of(metrics, what);
    AnomalyWatch::export_counters(metrics);
}

void CallbackWork::take(Items items) {
    for (Item& item : items) waiting_.push_back(std::move(item.record));
}

SteadyTime CallbackWork::next_look() const {
    const auto due = waiting_.empty() ? std::nullopt : std::optional{again_at_.value_or(clock_.steady())};
    return database_.next_look(due);
}

bool CallbackWork::round() {
    if (again_at_ && clock_.steady() < *again_at_) return false;
    again_at_.reset();
    store::Connection* connection = checked_.ready();
    if (connection == nullptr) return false;
    forget_stale();
    if (waiting_.empty()) {
        if (checked_.write_rest()) database_.worked();
        return false;
    }
    const auto records = next_records();
    CallbackRows rows = read(records);
    std::vector<Coordinates> places;
    for (const Record* record : records) places.push_back(record->at);
    auto written = write_rows(*connection, rows);
    if (written) written = settle(*connection, rows, places);
    if (!written) return failed(*connection, written.error(), records.size());
    own_failures_ = {};
    recorded_.Increment(static_cast<double>(rows.entries().size()));
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(records.size()));
    at_once_ = std::min(2 * at_once_, most_records);
    database_.worked();
    return true;
}

std::vector<const Record*> CallbackWork::next_records() const {
    std::vector<const Record*> records;
    std::size_t bytes = 0;
    for (const Record& record : waiting_) {
        bytes += record.value.size();
        const bool is_full = records.size() == at_once_ || bytes > most_bytes;
        if (is_full && !records.empty()) break;
        records.push_back(&record);
    }
    return records;
}

CallbackRows CallbackWork::read(std::span<const Record* const> records) {
    CallbackRows rows;
    for (const Record* record : records) {
        const bool is_ours = log_ == store::CallbackPlace::Log::events ? rows.add_event(*record, sources_)
                                                                       : rows.add_batch(*record);
        if (!is_ours) foreign_.Increment();
    }
    return rows;
}

Result<void> CallbackWork::write_rows(store::Connection& connection, CallbackRows& rows) {
    if (const auto set = connection.set_lock_wait(row_lock_wait); !set) return set;
    const auto kept = store::kept_duplicates(connection, rows.duplicated(), day_of(clock_.wall()));
    if (!kept) return Failure{kept.error()};
    rows.mask_all_but(*kept);
    auto transaction = store::OpenTransaction::begin(connection);
    if (!transaction) return Failure{transaction.error()};
    if (const auto done = store::insert_callbacks(connection, rows.entries()); !done) return done;
    if (const auto committed = transaction->commit(); !committed) return committed;
    if (FP("consumer.after_callbacks_insert")) return Failure{make_error_code(errc::injected)};
    return {};
}

Result<void> CallbackWork::settle(store::Connection& connection, const CallbackRows& rows,
                                  const std::vector<Coordinates>& places) {
    const auto found = failed_looks_ < most_failed_looks ? anomalies_.look(connection, rows.entries())
                                                         : std::vector<AnomalyWatch::Found>{};
    if (!found) {
        if (places.size() == 1 && ++failed_looks_ == most_failed_looks) not_looked_for(places.front());
        return Failure{found.error()};
    }
    failed_looks_ = 0;
    if (found->empty()) return write_offsets(connection, {}, places);
    const auto lock = store::NamedLock::acquire(connection, "anomalies", lock_wait);
    if (!lock) return Failure{lock.error()};
    if (!lock->has_value()) return Failure{store::make_error(store::lock_wait_timed_out, "")};
    return write_offsets(connection, *found, places);
}

Result<void> CallbackWork::write_offsets(store::Connection& connection,
                                         const std::vector<AnomalyWatch::Found>& found,
                                         const std::vector<Coordinates>& places) {
    auto transaction = store::OpenTransaction::begin(connection);
    if (!transaction) return Failure{transaction.error()};
    const auto fresh = anomalies_.write(connection, found);
    if (!fresh) return Failure{fresh.error()};
    const std::vector<AppliedOffset> offsets = partitions_.offsets_with(places);
    if (const auto done = write_applied_offsets(connection, checked_.writer(), offsets); !done) return done;
    if (const auto committed = transaction->commit(); !committed) return committed;
    (void)FP("consumer.after_callbacks_commit");
    partitions_.answered(places, offsets);
    anomalies_.tell(*fresh);
    return {};
}

/// A look that fails for ever must not keep the record from going on.
void CallbackWork::not_looked_for(const Coordinates& place) {
    lines_.error("anomalies_not_looked_for", {{"topic", std::string_view{checked_.writer().topic}},
                                              {"partition", std::int64_t{place.partition}},
                                              {"offset", place.offset}});
}

/// What takes too long, or is refused of many records, is tried with fewer.
bool CallbackWork::failed(store::Connection& connection, std::error_code error, std::size_t records) {
    const Setback setback = statement_failed(connection, error);
    at_once_ = std::max<std::size_t>(records / 2, 1);
    if (setback.database == store::ErrorClass::lost_lock) {
        again_at_ = clock_.steady() + after_a_lost_lock;
        return false;
    }
    if (!may_be_the_events(error)) {
        database_.failed(setback.reason);
        return false;
    }
    if (records > 1 || !own_failures_.is_third("callback", error)) return true;
    return leave_out_of_first(connection);
}

/// Something in the first record is what MySQL refuses: each of its rows is written by itself.
bool CallbackWork::leave_out_of_first(store::Connection& connection) {
    const Record& record = waiting_.front();
    const std::array only{&record};
    CallbackRows rows = read(only);
    rows.mask_all_but({});
    for (const store::CallbackEntry& entry : rows.entries()) {
        const auto written = store::insert_callbacks(connection, {&entry, 1});
        if (written) continue;
        const Setback setback = statement_failed(connection, written.error());
        if (!may_be_the_events(written.error())) {
            database_.failed(setback.reason);
            return false;
        }
        refused(record, entry, setback.reason);
    }
    if (!settle(connection, rows, {record.at})) partitions_.finish(record.at);
    waiting_.pop_front();
    return true;
}

void CallbackWork::refused(const Record& record, const store::CallbackEntry& entry, std::string_view why) {
    refused_.Increment(static_cast<double>(entry.requests));
    lines_.error("callback_refused", {{"reason", why},
                                      {"topic", std::string_view{checked_.writer().topic}},
                                      {"partition", std::int64_t{record.at.partition}},
                                      {"offset", record.at.offset},
                                      {"number", entry.place.number}});
}

void CallbackWork::forget_stale() {
    const std::uint64_t changes = partitions_.changes();
    if (std::exchange(seen_changes_, changes) == changes) return;
    std::erase_if(waiting_, [this](const Record& record) { return !partitions_.is_current(record.at); });
}

}  // namespace sluice::consumer
