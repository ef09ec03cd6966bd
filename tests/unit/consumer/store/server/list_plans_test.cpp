#include <string>

#include "consumer/store/dead_letter/dead_letter_list.hpp"
#include "consumer/store/dead_letter/operator_action.hpp"
#include "consumer/store/lane/lane_list.hpp"
#include "tests/unit/consumer/store/server/events.hpp"
#include "tests/unit/consumer/store/server/plans.hpp"

namespace sluice::store {
namespace {

/// 2,000 entries of 1,000 lanes, the older half of them closed; 1,000 parked in one lane; 1,000 actions on
/// them.
class ListPlansTest : public PlansTest {
protected:
    void SetUp() override {
        PlansTest::SetUp();
        for (const auto* closed : {"NOW()", "NULL"}) {
            fill(std::string{"INSERT INTO dead_letter (kind, lane_key, position, object_key, source, type,"
                             " event_id, error_class, error_text, attempts, first_failed_at, topic,"
                             " partition_no, offset_no, dlq_sent, opened_at, closed_at) SELECT 'dead',"
                             " UNHEX(SHA2(n, 256)), 1, 'o', 's', 't', CONCAT('evt_', n), 'park', '', 1,"
                             " NOW(), 't', 0, n, 1, NOW(), "} +
                 closed);
        }
        fill(
            "INSERT INTO lane_event SELECT UNHEX(SHA2('o', 256)), n, 'parked', 0, 0, NULL, NULL, 0, '[]', "
            "NULL,"
            " NULL, NULL, NULL, NULL, 't', 0, n, NOW(), '', REPEAT('b', 2000), 0, NULL, NULL, NULL, 0");
        fill(
            "INSERT INTO operator_action SELECT UNHEX(LEFT(SHA2(n, 256), 32)), UNHEX(LEFT(SHA2(n DIV 10, "
            "256), 32)), 'retry', 'carried_out', "
            "NULL,"
            " 'o', NULL, NULL, n + 1, 'ada', 'why', 'u', 'h', NOW(), NOW(), NULL, NULL, NULL, NULL");
        run(*connection, "ANALYZE TABLE dead_letter, lane_event, operator_action");
    }

    void fill(const std::string& statement) { run(*connection, statement + thousand); }
};

TEST_F(ListPlansTest, APageOfOpenEntriesReadsNoClosedOnes) {
    EXPECT_LE(reads_of([&] { return list_dead_letters(*connection, {}, 20).value().size() == 20; }), 30);
    EXPECT_LE(reads_of([&] {
                  return list_dead_letters(*connection, {.source = "s"}, 20, 1500).value().size() == 20;
              }),
              30);
}

TEST_F(ListPlansTest, AnEventsEntriesAreFoundByItsId) {
    const DeadLetterFilter filter{.which = DeadLetterFilter::Which::any, .event_id = "evt_7"};
    EXPECT_LE(reads_of([&] { return list_dead_letters(*connection, filter, 20).value().size() == 2; }), 8);
}

TEST_F(ListPlansTest, APageOfALaneReadsThatPage) {
    const auto page = [&] {
        return list_events(*connection, lane_key_of("o"), 20, 500).value().size() == 20;
    };
    EXPECT_LE(reads_of(page), 90) << "each row, sorted, and its look into the inbox";
}

TEST_F(ListPlansTest, ActionsAreFoundByEntryAndByRun) {
    EXPECT_LE(reads_of([&] { return actions_of_dead_letter(*connection, 5).value().size() == 1; }), 6);
    ActionId run_id{};
    const auto text = connection->query("SELECT run FROM operator_action WHERE dead_letter = 5", {}).value();
    std::ranges::copy(std::get<std::string>(text.at(0).at(0)), run_id.begin());
    const auto progress = [&] { return progress_of_run(*connection, run_id).value().dead_again == 10; };
    EXPECT_LE(reads_of(progress), 120) << "ten actions, each with its entry and what died in its place";
    run(*connection, "UPDATE dead_letter SET position = 2 WHERE closed_at IS NULL");
    const DeadLetterFilter behind{.behind_run = run_id};
    const auto page = [&] { return list_dead_letters(*connection, behind, 500).value().size() == 10; };
    EXPECT_LE(reads_of(page), 200) << "ten actions, each with its entry and what opened behind it";
    const auto count = [&] { return count_dead_letters(*connection, behind).value().at(0).count == 10; };
    EXPECT_LE(reads_of(count), 200) << "the same";
    const auto moving = [&] { return moving_behind(*connection, run_id).has_value(); };
    EXPECT_LE(reads_of(moving), 120) << "ten actions, each with its entry and its lane";
    const auto untried = [&] { return count_untried(*connection, run_id).has_value(); };
    EXPECT_LE(reads_of(untried), 120) << "ten actions, each with its entry and its event";
}

}  // namespace
}  // namespace sluice::store
