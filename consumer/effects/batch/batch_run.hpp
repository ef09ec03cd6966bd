#pragma once

#include <cstddef>
#include <expected>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "common/clock.hpp"
#include "consumer/effects/batch/batch_plan.hpp"
#include "consumer/effects/batch/batch_values.hpp"
#include "consumer/effects/batch/pending.hpp"
#include "consumer/effects/effect_set/effect_set.hpp"
#include "consumer/effects/set_based/change_effect.hpp"
#include "consumer/effects/set_based/newness.hpp"
#include "consumer/effects/set_based/one_by_one.hpp"
#include "consumer/effects/set_based/row_space.hpp"
#include "consumer/store/driver/connection.hpp"

namespace sluice::effects {

/// Why a batch must be rolled back.
struct BatchFailure {
    std::optional<std::size_t> culprit;  ///< the first event that fails; nullopt where that is not known
    Verdict verdict;
};

/// Runs the effects of many events so that tables and outcomes are those of one event after the other. What
/// the set-based kinds change is decided in memory over locked rows and written in a few multi-row
/// statements; an event that this cannot be done for runs by itself, after what came before it is written.
/// One worker's, over effects and Timing that outlive it.
class BatchRun {
public:
    /// The body of an event, until the next call; nothing when it cannot be read, which parks the event.
    using ReadBody = std::function<std::optional<EventBody>(std::size_t event)>;

    explicit BatchRun(const EffectSet& set, Timing* timing = nullptr);
    /// All that an event may have.
    explicit BatchRun(std::vector<const Effect*> effects) : effects_{std::move(effects)} {}

    /// Reads the tables' definitions where what is known of them is old. Takes its time: call it first where
    /// a TimeLimit follows.
    [[nodiscard]] Result<void> know_tables(store::Connection& connection, SteadyTime now);

    /// Inside the caller's open transaction; never commits nor rolls back. Success: every event is done or
    /// ignored and all is written. `now` says when to read the tables' definitions again. What is done for
    /// all of them at once has the time of the shortest `within`.
    [[nodiscard]] std::expected<void, BatchFailure> run(std::span<const BatchEvent> events,
                                                        const ReadBody& read_body,
                                                        store::Connection& connection, SteadyTime now);
    /// The same where `values` has some of these events already: their bodies are read no more, unless they
    /// run by themselves.
    [[nodiscard]] std::expected<void, BatchFailure> run(std::span<const BatchEvent> events,
                                                        BatchValues& values, const ReadBody& read_body,
                                                        store::Connection& connection, SteadyTime now);

    /// As `run`, but an event that ends otherwise is taken out, as if it alone were rolled back, and the
    /// others go on. What each came to; `ignore` where an event's one effect ignored it. Failure: the batch
    /// must be rolled back; a culprit is only known to differ from the others, and has to be run alone. No
    /// time but the caller's TimeLimit.
    [[nodiscard]] std::expected<std::vector<Verdict>, BatchFailure> run_each(
        std::span<const BatchEvent> events, const ReadBody& read_body, store::Connection& connection,
        SteadyTime now);

private:
    using Part = BatchValues::Part;
    /// What a decision in memory comes to.
    enum class Decision { made, ended, not_here };
    struct OldSum {
        RowSpace* space;
        std::size_t row;
        std::size_t column;
        RowSpace::Sum sum;
    };
    struct OldTouched {
        RowSpace* space;
        std::size_t row;
        RowSpace::Touched touched;
    };

    [[nodiscard]] std::expected<void, BatchFailure> run_all(std::span<const BatchEvent> events,
                                                            BatchValues& values, const ReadBody& read_body,
                                                            store::Connection& connection, SteadyTime now);
    [[nodiscard]] std::expected<void, BatchFailure> run_one(std::size_t event);
    [[nodiscard]] Result<Decision> decide_if_together(std::size_t event);
    void start_over(std::size_t events);
    [[nodiscard]] bool goes_together(const BatchEvent& event) const;

    [[nodiscard]] Result<void> look_ahead(std::size_t from);
    void evaluate(std::size_t event);
    void want_rows(std::size_t event);

    [[nodiscard]] Decision decide(std::size_t event);
    [[nodiscard]] Decision decide_part(const Part& part, std::size_t event);
    [[nodiscard]] Decision decide_change(const Target& target, const EventValues& values, std::size_t event);
    [[nodiscard]] Decision decide_insertion(const Target& target, const EventValues& values,
                                            std::size_t event);
    [[nodiscard]] Decision decide_addition(const Target& target, const EventValues& values);
    [[nodiscard]] Decision decide_assignment(const Target& target, const EventValues& values,
                                             std::size_t event);
    [[nodiscard]] Decision decide_upsert(const Target& target, const EventValues& values, std::size_t event);
    /// What of it an event alone does before it looks at the row: key_ and version_.
    [[nodiscard]] std::expected<Newness, Made> read_version(const Upsert& upsert, const EventValues& values);
    [[nodiscard]] Decision find_row(const Target& target, std::span<const Cell> key, const Ending& missing,
                                    const EventValues& values, std::size_t& row);
    [[nodiscard]] Decision end_with(const Ending& ending, std::string_view why);
    [[nodiscard]] Decision fail_with(std::error_code error);

    void undo(std::size_t event);
    void count_stale();
    [[nodiscard]] std::expected<void, BatchFailure> write();
    [[nodiscard]] Milliseconds shortest_within() const;
    void note_ignored();
    [[nodiscard]] std::expected<void, BatchFailure> run_alone(std::size_t event);
    [[nodiscard]] std::expected<void, BatchFailure> try_alone(std::size_t event, const EventView& view);
    void forget();

    std::vector<const Effect*> effects_;
    Timing* timing_ = nullptr;
    std::optional<BatchPlan> plan_;
    SteadyTime planned_at_{};
    std::vector<RowSpace> spaces_;
    std::optional<Pending> pending_;

    // Of the batch that runs.
    std::span<const BatchEvent> events_;
    const ReadBody* read_body_ = nullptr;
    store::Connection* connection_ = nullptr;
    BatchValues own_values_;  // where the caller has none
    BatchValues* values_ = nullptr;
    std::vector<std::size_t> users_;  // who uses each table; 0: none yet
    std::size_t known_until_ = 0;     // events below have their rows in spaces_
    std::size_t window_ = 0;
    Milliseconds within_{};
    std::map<const Effect*, std::size_t> stale_;  // how many events each ignored as such
    bool takes_out_ = false;
    std::vector<Verdict> verdicts_;  // where it takes out

    // Of the event that is decided.
    std::vector<OldSum> old_sums_;
    std::vector<OldTouched> old_touched_;
    std::vector<const Effect*> found_stale_;
    bool has_changes_ = false;  // some were made in memory
    bool is_ignored_ = false;   // by each of its effects
    std::vector<store::Datum> version_;
    std::vector<store::Datum> key_;
    Made made_;
    Verdict verdict_;
};

}  // namespace sluice::effects
