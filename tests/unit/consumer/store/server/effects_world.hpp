#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/time_text.hpp"
#include "consumer/effects/batch/batch_run.hpp"
#include "consumer/effects/effect_set/effect_set.hpp"
#include "tests/unit/consumer/effects/configuration.hpp"
#include "tests/unit/consumer/store/server/random_effects.hpp"

/// Effects over tables of their own, run one by one or in batches, for tests that compare the ways.
namespace sluice::effects {

inline bool is_good(Outcome outcome) {
    return outcome == Outcome::done || outcome == Outcome::ignore;
}

/// Good ones are one: a batch does not say which event was ignored.
inline Outcome summed_up(Outcome outcome) {
    return is_good(outcome) ? Outcome::done : outcome;
}

inline std::string with_prefix(std::string text, const std::string& prefix) {
    for (auto at = text.find('$'); at != std::string::npos; at = text.find('$', at)) {
        text.replace(at, 1, prefix);
    }
    return text;
}

/// What a batch said of its first failing event: at `start`, out of `size` events.
struct Claim {
    std::size_t start;
    std::size_t size;
    std::optional<std::size_t> culprit;
    bool committed;
    bool collided;  ///< two spellings of one row that was not there, each of them made: upserts alone do that
};

/// One way to run events over tables of its own.
class World {
public:
    World(store::Connection& connection, std::string prefix, const RandomEffects& effects,
          const std::string& yaml)
        : connection_{connection}, prefix_{std::move(prefix)} {
        for (const auto& table : effects.tables) make(with_prefix(table, prefix_));
        auto reading = read_with(with_prefix(yaml, prefix_),
                                 [](const config::Document& document, config::Problems& problems) {
                                     return EffectSet::read(document, sources(), problems);
                                 });
        EXPECT_EQ(reading.report, "");
        set_.emplace(std::move(reading.value));
        config::Problems problems;
        const auto missing = set_->check(connection, problems);
        EXPECT_TRUE(missing && missing->empty()) << connection.last_error().message;
        EXPECT_EQ(problems.report(), "");
        batch_run_.emplace(*set_);
    }

    Outcome run_alone(const RandomEvent& event) {
        const auto headers = headers_of(event);
        EXPECT_TRUE(view_.read(event.body));
        EXPECT_TRUE(connection_.begin());
        const auto matching = set_->matching(headers);
        const auto verdict = set_->run(matching, {headers, view_}, connection_);
        EXPECT_TRUE(is_good(verdict.outcome) ? connection_.commit() : connection_.rollback());
        note(event, matching, verdict);
        if (!is_good(verdict.outcome)) reasons[event.id] = verdict.effect + ": " + verdict.reason;
        return summed_up(verdict.outcome);
    }

    /// As consumer/main_role/batch.cpp does: again up to the culprit, or in halves, until it stands alone.
    std::vector<Outcome> run_batch(const std::vector<RandomEvent>& events) {
        std::vector<Outcome> outcomes;
        std::size_t size = events.size();
        while (outcomes.size() < events.size()) {
            const auto start = outcomes.size();
            const auto count = std::min(size, events.size() - start);
            const auto failure = run_together(events, start, count);
            const bool collided = failure && !failure->culprit && failure->verdict.error.value() == 1062;
            claims.push_back({start, count, failure ? failure->culprit : std::nullopt, !failure, collided});
            if (!failure) {
                outcomes.insert(outcomes.end(), count, Outcome::done);
                size = count * 2;
            } else if (failure->culprit.value_or(0) > 0) {
                size = *failure->culprit;
            } else if (failure->culprit || count == 1) {
                outcomes.push_back(run_alone(events[start]));
                size = std::max<std::size_t>(count / 2, 1);
            } else {
                size = count / 2;
            }
        }
        return outcomes;
    }

    /// As command/execute does, but that all stay in their order: what ends otherwise is taken out of its
    /// batch.
    std::vector<Outcome> run_each(const std::vector<RandomEvent>& events) {
        std::vector<Outcome> outcomes;
        std::size_t size = events.size();
        while (outcomes.size() < events.size()) {
            const auto start = outcomes.size();
            const auto count = std::min(size, events.size() - start);
            const auto run = each_together(events, start, count);
            size = count;
            if (run) {
                for (const auto& verdict : *run) outcomes.push_back(summed_up(verdict.outcome));
                size = count * 2;
            } else if (run.error().culprit.value_or(0) > 0) {
                size = *run.error().culprit;
            } else if (run.error().culprit || count == 1) {
                outcomes.push_back(run_alone(events[start]));
            } else {
                size = count / 2;
            }
        }
        return outcomes;
    }

    std::string content(const std::string& table) {
        const auto rows = connection_.query("SELECT * FROM " + prefix_ + table, {});
        if (!rows) return connection_.last_error().message;
        std::multiset<std::string> lines;
        for (const auto& row : *rows) {
            std::string line;
            for (const auto& column : row) line += text_of(column) + "|";
            lines.insert(line);
        }
        std::string all;
        for (const auto& line : lines) all += line + "\n";
        return all;
    }

    std::vector<Claim> claims;
    std::map<std::string, std::string> reasons;  ///< why events failed, by id
    std::map<std::string, Outcome> exact;        ///< of those of one effect, by id
    int taken_out = 0;                           ///< of batches that went through

private:
    static record::EventHeaders headers_of(const RandomEvent& event) {
        record::EventHeaders headers;
        headers.event_id = event.id;
        headers.type = event.type;
        return headers;
    }

    static std::string text_of(const store::OwnedDatum& value) {
        if (const auto* text = std::get_if<std::string>(&value)) return *text;
        if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
        if (const auto* time = std::get_if<WallTime>(&value)) return to_rfc3339(*time);
        return "NULL";
    }

    /// Some of the events, as a batch has them.
    struct Batch {
        std::vector<record::EventHeaders> headers;
        std::vector<std::vector<const Effect*>> matching;
        std::vector<BatchEvent> events;
        BatchRun::ReadBody body;
    };

    std::unique_ptr<Batch> batch_of(const std::vector<RandomEvent>& events, std::size_t start,
                                    std::size_t count) {
        auto batch = std::make_unique<Batch>();
        for (std::size_t i = 0; i < count; ++i) batch->headers.push_back(headers_of(events[start + i]));
        for (const auto& one : batch->headers) batch->matching.push_back(set_->matching(one));
        for (std::size_t i = 0; i < count; ++i)
            batch->events.push_back({batch->headers[i], batch->matching[i]});
        batch->body = [this, &events, start](std::size_t event) -> std::optional<EventBody> {
            EXPECT_TRUE(view_.read(events[start + event].body));
            return EventBody{view_};
        };
        return batch;
    }

    std::optional<BatchFailure> run_together(const std::vector<RandomEvent>& events, std::size_t start,
                                             std::size_t count) {
        const auto batch = batch_of(events, start, count);
        values_.start(count);
        for (std::size_t i = start % 2; i < count; i += 2) read_ahead(i, *batch);
        EXPECT_TRUE(connection_.begin());
        const auto run = batch_run_->run(batch->events, values_, batch->body, connection_, SteadyTime{});
        EXPECT_TRUE(run ? connection_.commit() : connection_.rollback());
        return run ? std::nullopt : std::optional{run.error()};
    }

    /// As consumer/main_role/transaction.cpp does where an event's body is at hand.
    void read_ahead(std::size_t number, const Batch& batch) {
        const auto is_set_based = [](const Effect* effect) { return effect->set_based() != nullptr; };
        if (std::ranges::all_of(batch.matching[number], is_set_based))
            values_.read(number, batch.events[number], batch.body(number));
    }

    std::expected<std::vector<Verdict>, BatchFailure> each_together(const std::vector<RandomEvent>& events,
                                                                    std::size_t start, std::size_t count) {
        const auto batch = batch_of(events, start, count);
        EXPECT_TRUE(connection_.begin());
        auto run = batch_run_->run_each(batch->events, batch->body, connection_, SteadyTime{});
        EXPECT_TRUE(run ? connection_.commit() : connection_.rollback());
        if (!run) return run;
        for (std::size_t i = 0; i < count; ++i) {
            taken_out += is_good(run->at(i).outcome) ? 0 : 1;
            note(events[start + i], batch->matching[i], run->at(i));
        }
        return run;
    }

    void note(const RandomEvent& event, const std::vector<const Effect*>& matching, const Verdict& verdict) {
        if (matching.size() == 1) exact[event.id] = verdict.outcome;
    }

    void make(const std::string& statement) {
        EXPECT_TRUE(connection_.run(statement)) << statement << ": " << connection_.last_error().message;
    }

    store::Connection& connection_;
    std::string prefix_;
    std::optional<EffectSet> set_;
    std::optional<BatchRun> batch_run_;
    BatchValues values_;
    webhook::JsonView view_;
};

inline unsigned number_from(const char* variable, unsigned otherwise) {
    const char* value = std::getenv(variable);
    return value != nullptr ? static_cast<unsigned>(std::strtoul(value, nullptr, 10)) : otherwise;
}

}  // namespace sluice::effects
