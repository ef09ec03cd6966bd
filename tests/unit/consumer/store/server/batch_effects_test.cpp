#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <random>
#include <set>

#include "consumer/effects/batch/batch_run.hpp"
#include "consumer/effects/effect_set/effect_set.hpp"
#include "tests/unit/consumer/effects/configuration.hpp"
#include "tests/unit/consumer/store/server/fixture.hpp"
#include "tests/unit/consumer/store/server/random_effects.hpp"

namespace sluice::effects {
namespace {

using store::Connection;

bool is_good(Outcome outcome) {
    return outcome == Outcome::done || outcome == Outcome::ignore;
}

/// Good ones are one: a batch does not say which event was ignored.
Outcome summed_up(Outcome outcome) {
    return is_good(outcome) ? Outcome::done : outcome;
}

std::string with_prefix(std::string text, const std::string& prefix) {
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
};

/// One way to run events over tables of its own.
class World {
public:
    World(Connection& connection, std::string prefix, const RandomEffects& effects, const std::string& yaml)
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
        const auto verdict = set_->run(set_->matching(headers), {headers, view_}, connection_);
        EXPECT_TRUE(is_good(verdict.outcome) ? connection_.commit() : connection_.rollback());
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
            claims.push_back({start, count, failure ? failure->culprit : std::nullopt, !failure});
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
        return "NULL";
    }

    std::optional<BatchFailure> run_together(const std::vector<RandomEvent>& events, std::size_t start,
                                             std::size_t count) {
        std::vector<record::EventHeaders> headers;
        std::vector<std::vector<const Effect*>> matching;
        for (std::size_t i = 0; i < count; ++i) headers.push_back(headers_of(events[start + i]));
        for (const auto& one : headers) matching.push_back(set_->matching(one));
        std::vector<BatchEvent> batch;
        for (std::size_t i = 0; i < count; ++i) batch.push_back({headers[i], matching[i]});
        EXPECT_TRUE(connection_.begin());
        const auto body = [&](std::size_t event) -> std::optional<EventBody> {
            EXPECT_TRUE(view_.read(events[start + event].body));
            return EventBody{view_};
        };
        const auto run = batch_run_->run(batch, body, connection_, SteadyTime{});
        EXPECT_TRUE(run ? connection_.commit() : connection_.rollback());
        return run ? std::nullopt : std::optional{run.error()};
    }

    void make(const std::string& statement) {
        EXPECT_TRUE(connection_.run(statement)) << statement << ": " << connection_.last_error().message;
    }

    Connection& connection_;
    std::string prefix_;
    std::optional<EffectSet> set_;
    std::optional<BatchRun> batch_run_;
    webhook::JsonView view_;
};

unsigned number_from(const char* variable, unsigned otherwise) {
    const char* value = std::getenv(variable);
    return value != nullptr ? static_cast<unsigned>(std::strtoul(value, nullptr, 10)) : otherwise;
}

class BatchEffectsTest : public store::ServerTest {};

/// Whether a batch's word of the first failing event was true, by what became of the events one by one.
void expect_true(const Claim& claim, const std::vector<Outcome>& outcomes) {
    const auto first = outcomes.begin() + static_cast<std::ptrdiff_t>(claim.start);
    const auto last = first + static_cast<std::ptrdiff_t>(claim.size);
    const auto failing = std::find_if_not(first, last, is_good);
    if (claim.committed) {
        EXPECT_EQ(failing, last) << "a batch went through, and its event " << failing - outcomes.begin()
                                 << " fails alone";
    } else if (claim.culprit) {
        EXPECT_EQ(failing - first, static_cast<std::ptrdiff_t>(*claim.culprit))
            << "another event is blamed, in a batch from " << claim.start;
    } else {
        EXPECT_NE(failing, last) << "a batch failed, and none of its events fails alone";
    }
}

TEST_F(BatchEffectsTest, GiveWhatTheirEventsGiveOneByOne) {
    const auto seed = number_from("SLUICE_TEST_SEED", std::random_device{}());
    const auto rounds = number_from("SLUICE_TEST_ROUNDS", 6);
    RecordProperty("seed", std::to_string(seed));
    const auto connection = open();
    for (unsigned round = 0; round < rounds; ++round) {
        Chance chance{seed + round};
        const auto effects = random_effects(chance);
        SCOPED_TRACE("again with SLUICE_TEST_SEED=" + std::to_string(seed + round) +
                     " SLUICE_TEST_ROUNDS=1\n" + effects.set_based + effects.tables.at(2));
        const auto name = std::to_string(round);
        World together{*connection, "b" + name + "_", effects, effects.set_based};
        World alone{*connection, "o" + name + "_", effects, effects.set_based};
        World by_hand{*connection, "s" + name + "_", effects, effects.by_sql};
        for (int batch = 0; batch < 4; ++batch) {
            const auto events = random_events(chance, effects, 1 + chance.below(40));
            std::vector<Outcome> wanted;
            std::vector<Outcome> one_by_one;
            for (const auto& event : events) wanted.push_back(by_hand.run_alone(event));
            for (const auto& event : events) one_by_one.push_back(alone.run_alone(event));
            together.claims.clear();
            EXPECT_EQ(together.run_batch(events), wanted);
            EXPECT_EQ(one_by_one, wanted);
            for (const auto& claim : together.claims) expect_true(claim, wanted);
            for (const auto& table : effects.names) {
                EXPECT_EQ(together.content(table), by_hand.content(table)) << table;
                EXPECT_EQ(alone.content(table), by_hand.content(table)) << table << ", one by one";
            }
            if (!HasFailure()) continue;
            for (std::size_t i = 0; i < events.size(); ++i) {
                ADD_FAILURE() << i << " " << events[i].id << " " << events[i].type << " " << events[i].body
                              << "\n  by hand " << by_hand.reasons[events[i].id] << "\n  alone "
                              << alone.reasons[events[i].id];
            }
            return;
        }
    }
}

}  // namespace
}  // namespace sluice::effects
