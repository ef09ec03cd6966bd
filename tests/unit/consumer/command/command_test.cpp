#include "consumer/command/command.hpp"

#include <set>

#include <gtest/gtest.h>

#include "tests/unit/consumer/command/sample.hpp"

namespace sluice::command {
namespace {

using store::ActionKind;

TEST(Command, IsRefusedWithoutWhatItNeeds) {
    EXPECT_EQ(flaw_in(sample_command()), std::nullopt);
    auto command = sample_command();
    command.id = {};
    EXPECT_EQ(flaw_in(command), Flaw::no_id);
    command = sample_command();
    command.operator_name = " \t";
    EXPECT_EQ(flaw_in(command), Flaw::no_operator);
    command = sample_command();
    command.reason = "\n";
    EXPECT_EQ(flaw_in(command), Flaw::no_reason);
}

TEST(Command, NamesAnEventOrAnEntry) {
    auto command = sample_command();
    command.event.reset();
    EXPECT_EQ(flaw_in(command), std::nullopt);
    command.dead_letter = -1;
    EXPECT_EQ(flaw_in(command), Flaw::no_target);
    command.dead_letter.reset();
    EXPECT_EQ(flaw_in(command), Flaw::no_target);
    command = sample_command();
    command.dead_letter.reset();
    EXPECT_EQ(flaw_in(command), std::nullopt);
    command.action = ActionKind::close;
    EXPECT_EQ(flaw_in(command), Flaw::no_target) << "only entries are closed";
}

TEST(Command, HasABodyWhenItEditsAndOnlyThen) {
    auto edit = sample_edit("{}");
    EXPECT_EQ(flaw_in(edit), std::nullopt);
    EXPECT_TRUE(has_its_body(edit));
    edit.edit->bytes = "{ }";
    EXPECT_EQ(flaw_in(edit), std::nullopt) << "refused on record";
    EXPECT_FALSE(has_its_body(edit));
    edit.action = ActionKind::retry;
    EXPECT_EQ(flaw_in(edit), Flaw::no_body);
    edit = sample_command();
    edit.action = ActionKind::edit;
    EXPECT_EQ(flaw_in(edit), Flaw::no_body);
    EXPECT_EQ(flaw_in(sample_edit(std::string(max_edited_body, 'x'))), std::nullopt);
    EXPECT_EQ(flaw_in(sample_edit(std::string(max_edited_body + 1, 'x'))), Flaw::too_large);
}

TEST(Command, RerunsAnEventAndNoEntry) {
    auto rerun = sample_command();
    rerun.action = ActionKind::rerun;
    EXPECT_EQ(flaw_in(rerun), Flaw::no_target);
    rerun.dead_letter.reset();
    EXPECT_EQ(flaw_in(rerun), std::nullopt);
    rerun.effect = std::string(max_effect_name + 1, 'x');
    EXPECT_EQ(flaw_in(rerun), Flaw::too_large);
    rerun.effect.clear();
    rerun.event.reset();
    EXPECT_EQ(flaw_in(rerun), Flaw::no_target);
}

TEST(Command, FitsTheColumnsOfItsAction) {
    for (const auto text : {&Command::object_key, &Command::operator_name, &Command::reason, &Command::host,
                            &Command::database_user}) {
        auto command = sample_command();
        command.*text = std::string(1025, 'x');
        EXPECT_EQ(flaw_in(command), Flaw::too_large);
    }
}

TEST(Command, IsKeyedByItsObjectOrElseByItsEntry) {
    auto command = sample_command();
    EXPECT_EQ(record_key(command), command.object_key);
    command.object_key.clear();
    EXPECT_EQ(record_key(command), "4711");
}

TEST(Command, HasTheSameIdWheneverItsRunIsResumed) {
    EXPECT_EQ(id_in_run(id_of(1), 7), id_in_run(id_of(1), 7));
    std::set<store::ActionId> ids;
    for (std::uint8_t run = 0; run < 10; ++run) {
        for (std::int64_t dead_letter = 1; dead_letter <= 100; ++dead_letter)
            ids.insert(id_in_run(id_of(run), dead_letter));
    }
    EXPECT_EQ(ids.size(), 1000U);
    for (const auto day : {sample_command().event->event_day, record::undated})
        ids.insert(id_in_run(id_of(1), {day, sample_command().event->dedup_key}));
    EXPECT_EQ(ids.size(), 1002U) << "one key may stand under two days";
}

}  // namespace
}  // namespace sluice::command
