#include "consumer/store/retention/maintenance.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "common/time_text.hpp"
#include "consumer/store/callback/anomaly.hpp"
#include "consumer/store/driver/meta.hpp"
#include "consumer/store/driver/named_lock.hpp"
#include "consumer/store/driver/server_time.hpp"
#include "consumer/store/inbox/day_partitions.hpp"
#include "consumer/store/inbox/retention.hpp"
#include "consumer/store/inbox/undated.hpp"
#include "consumer/store/retention/closed_dead_letters.hpp"

namespace sluice::store {
namespace {

constexpr std::array<const char*, 2> tables{"inbox", "event_payload"};
constexpr const char* callbacks = "callback";
constexpr std::chrono::hours sweep_every{24};
constexpr std::chrono::hours clock_tolerance{1};

struct Round {
    Connection& connection;
    std::chrono::days keep;
    std::chrono::days keep_closed;
    WallTime now;
    std::chrono::sys_days today;
    std::optional<std::chrono::days> keep_undated{};
    config::CallbackSettings callbacks{};
    MaintenanceReport report{};
};

Result<bool> clocks_agree(Connection& connection, WallTime now) {
    const auto servers = server_time(connection);
    if (!servers) return Failure{servers.error()};
    return std::chrono::abs(*servers - now) <= clock_tolerance;
}

Result<std::optional<Announcement>> read_announcement(Connection& connection) {
    const auto value = read_meta(connection, meta::dropped_before);
    if (!value) return Failure{value.error()};
    if (!*value) return std::nullopt;
    const auto day = day_from_text((*value)->text);
    if (!day) return std::nullopt;
    return Announcement{*day, (*value)->written_at};
}

Result<void> add_days(Round& round, const char* table, std::chrono::days keep) {
    const auto partitions = read_partitions(round.connection, table);
    if (!partitions) return Failure{partitions.error()};
    const auto missing = days_to_add(*partitions, round.today, keep);
    if (missing.empty()) return {};
    if (const auto done = split_newest(round.connection, table, missing); !done) return done;
    round.report.partitions_added += static_cast<int>(missing.size());
    return {};
}

Result<void> add_partitions(Round& round) {
    for (const auto* table : tables)
        if (const auto done = add_days(round, table, round.keep); !done) return done;
    return {};
}

/// Also where they are recorded no more. Nothing else depends on a day of them, so none is announced.
Result<void> drop_callback_partitions(Round& round) {
    const auto partitions = read_partitions(round.connection, callbacks);
    if (!partitions) return Failure{partitions.error()};
    const Announcement known{round.today, round.now - announced_for};
    for (const auto& partition :
         partitions_to_drop(*partitions, round.today, round.callbacks.keep, round.now, known)) {
        if (const auto done = drop_partition(round.connection, callbacks, partition); !done) return done;
        ++round.report.partitions_dropped;
    }
    return {};
}

Result<void> drop_inbox_partitions(Round& round, const std::optional<Announcement>& announced) {
    const auto partitions = read_partitions(round.connection, "inbox");
    if (!partitions) return Failure{partitions.error()};
    for (const auto& partition :
         partitions_to_drop(*partitions, round.today, round.keep, round.now, announced)) {
        const auto held = has_unfinished_rows(round.connection, partition);
        if (!held) return Failure{held.error()};
        if (*held) {
            ++round.report.partitions_held;
            continue;
        }
        if (const auto done = drop_partition(round.connection, "inbox", partition); !done) return done;
        ++round.report.partitions_dropped;
    }
    return {};
}

/// After the inbox's, so that a payload never goes before its row, no matter what happens in between.
Result<void> drop_payload_partitions(Round& round, const std::optional<Announcement>& announced) {
    const auto kept = read_partitions(round.connection, "inbox");
    if (!kept) return Failure{kept.error()};
    const auto partitions = read_partitions(round.connection, "event_payload");
    if (!partitions) return Failure{partitions.error()};
    for (const auto& partition :
         partitions_to_drop(*partitions, round.today, round.keep, round.now, announced)) {
        if (std::ranges::contains(*kept, partition.name, &DayPartition::name)) continue;
        const auto done = drop_partition(round.connection, "event_payload", partition);
        if (!done) return done;
        ++round.report.partitions_dropped;
    }
    return {};
}

Result<void> announce(Round& round, const std::optional<Announcement>& announced) {
    const auto partitions = read_partitions(round.connection, "inbox");
    if (!partitions) return Failure{partitions.error()};
    const auto day = day_to_announce(*partitions, round.today, round.keep, round.now, announced);
    if (!day) return {};
    round.report.announced = true;
    return write_meta(round.connection, meta::dropped_before, to_text(*day), round.now);
}

/// From the entries closed since the last sweep the bodies; old entries and what operators did whole.
Result<void> sweep_closed(Round& round) {
    const auto last = read_meta(round.connection, meta::dead_letters_cleared);
    if (!last) return Failure{last.error()};
    const auto since = *last ? from_rfc3339((*last)->text) : std::nullopt;
    const WallTime cutoff = round.now - round.keep;
    const auto cleared = clear_closed_dead_letters(round.connection, since, cutoff);
    if (!cleared) return Failure{cleared.error()};
    round.report.dead_letters_cleared = *cleared;
    const auto dead_letters = delete_closed_dead_letters(round.connection, round.now - round.keep_closed);
    if (!dead_letters) return Failure{dead_letters.error()};
    round.report.dead_letters_deleted = *dead_letters;
    const auto actions = delete_actions(round.connection, round.now - round.keep_closed);
    if (!actions) return Failure{actions.error()};
    round.report.actions_deleted = *actions;
    const auto erasures = delete_erasures(round.connection, round.now - round.keep_closed);
    if (!erasures) return Failure{erasures.error()};
    round.report.erasures_deleted = *erasures;
    return write_meta(round.connection, meta::dead_letters_cleared, to_rfc3339(cutoff), round.now);
}

/// What lies in no day's partition.
Result<void> sweep(Round& round) {
    const auto last = read_meta(round.connection, meta::undated_swept);
    if (!last) return Failure{last.error()};
    if (*last && round.now - (*last)->written_at < sweep_every) return {};
    const bool keeps_keys = !round.keep_undated || *round.keep_undated > round.keep;
    const auto undated = delete_undated(round.connection, round.now - round.keep, keeps_keys);
    if (!undated) return Failure{undated.error()};
    round.report.undated_deleted = *undated;
    if (round.keep_undated) {
        const auto forgotten = forget_undated_keys(round.connection, round.today - *round.keep_undated);
        if (!forgotten) return Failure{forgotten.error()};
        round.report.undated_forgotten = *forgotten;
    }
    const auto selftests = delete_selftests(round.connection, round.now - round.keep);
    if (!selftests) return Failure{selftests.error()};
    round.report.selftests_deleted = *selftests;
    if (const auto done = sweep_closed(round); !done) return done;
    return write_meta(round.connection, meta::undated_swept, to_rfc3339(round.now), round.now);
}

/// Last: what fails here keeps nothing of the inbox's from being done.
Result<void> tend_callbacks(Round& round) {
    if (round.callbacks.recorded)
        if (const auto done = add_days(round, callbacks, round.callbacks.keep); !done) return done;
    if (const auto done = drop_callback_partitions(round); !done) return done;
    if (!round.callbacks.recorded) return {};
    const auto anomalies =
        delete_anomalies(round.connection, round.now - round.callbacks.keep - std::chrono::days{1});
    if (!anomalies) return Failure{anomalies.error()};
    return {};
}

Result<void> work(Round& round) {
    if (const auto done = add_partitions(round); !done) return done;
    const auto announced = read_announcement(round.connection);
    if (!announced) return Failure{announced.error()};
    if (const auto done = drop_inbox_partitions(round, *announced); !done) return done;
    if (const auto done = drop_payload_partitions(round, *announced); !done) return done;
    if (const auto done = announce(round, *announced); !done) return done;
    if (const auto done = sweep(round); !done) return done;
    return tend_callbacks(round);
}

Result<void> read_days_ahead(Round& round) {
    round.report.days_ahead = static_cast<int>(partitions_ahead.count());
    for (const auto* table : tables) {
        const auto partitions = read_partitions(round.connection, table);
        if (!partitions) return Failure{partitions.error()};
        round.report.days_ahead = std::min(round.report.days_ahead, days_ahead(*partitions, round.today));
    }
    return {};
}

/// `what`, when the clocks agree and no other process is at it.
Result<void> alone(Round& round, Result<void> (&what)(Round&)) {
    const auto agree = clocks_agree(round.connection, round.now);
    if (!agree) return Failure{agree.error()};
    round.report.clocks_differ = !*agree;
    if (!*agree) return {};
    const auto lock = NamedLock::acquire(round.connection, "maintenance", std::chrono::seconds{0});
    if (!lock) return Failure{lock.error()};
    round.report.had_lock = lock->has_value();
    if (!lock->has_value()) return {};
    // DDL waits for every open transaction on the table, and all other sessions then wait for it.
    const auto set = round.connection.run("SET SESSION lock_wait_timeout = 2");
    if (!set) return Failure{set.error()};
    return what(round);
}

}  // namespace

Patience maintenance_patience() {
    return {.read = std::chrono::minutes{10}, .statement = std::chrono::seconds{0}};
}

Result<int> make_partitions(Connection& connection, std::chrono::days keep, WallTime now) {
    Round round{connection, keep, keep, now, day_of(now)};
    if (const auto done = alone(round, add_partitions); !done) return Failure{done.error()};
    return round.report.partitions_added;
}

Result<MaintenanceReport> maintain(Connection& connection, const config::InboxSettings& settings,
                                   const config::CallbackSettings& of_callbacks, WallTime now) {
    Round round{connection,  settings.keep,         settings.keep_closed, now,
                day_of(now), settings.keep_undated, of_callbacks};
    if (const auto done = alone(round, work); !done) return Failure{done.error()};
    if (const auto done = read_days_ahead(round); !done) return Failure{done.error()};
    return round.report;
}

}  // namespace sluice::store
