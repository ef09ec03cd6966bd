#include "ctl/event/rerun/rerun_plan.hpp"

#include <gtest/gtest.h>

#include "common/config/section.hpp"
#include "ctl/cli/exit.hpp"
#include "ctl/event/rerun/rerun_commands.hpp"
#include "ctl/event/rerun/rerun_options.hpp"
#include "ctl/operate/run_id.hpp"

namespace sluice::ctl {
namespace {

using store::InboxStatus;

effects::EffectSet effects_named(const std::vector<std::string>& names) {
    std::string text = "effects:\n";
    for (const auto& name : names)
        text += "  - {name: " + name + ", when: {type: paid}, sql: [{run: DELETE FROM t}]}\n";
    config::Problems problems;
    const auto document = config::Document::from_text(text, "test.yaml", problems);
    auto effects = effects::EffectSet::read(document, {}, problems);
    EXPECT_FALSE(problems.any()) << problems.report();
    return effects;
}

/// As the archive keeps the headers of an event that `decode` reads.
std::string archived(const std::string& type) {
    const std::string digest(64, 'a');
    return R"([["ce_specversion","1.0"],["ce_id","evt_1"],["ce_source","stripe/acct"],["ce_type",")" + type +
           R"("],["content-type","application/json"],["traceparent","00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00"],["sluice-source","s"],["sluice-provider","stripe"],)" +
           R"(["sluice-principal","acct"],["sluice-livemode","false"],["sluice-dedup-key",")" + digest +
           R"("],["sluice-digest",")" + digest +
           R"("],["sluice-event-day","2026-11-21"],["sluice-received-at","2026-11-21T10:00:00.000000Z"],["sluice-key","k"]])";
}

store::PastEvent past(int number, InboxStatus status, std::optional<std::vector<std::string>> had,
                      const std::string& type = "paid") {
    store::PastEvent event;
    event.row.key = {record::undated, crypto::sha256(std::to_string(number))};
    event.row.event_id = "evt_" + std::to_string(number);
    event.row.type = type;
    event.row.source = "s";
    event.row.object_key = "stripe/acct/pi_1";
    event.row.status = status;
    event.row.had_effects = std::move(had);
    event.row.offset = number;
    event.row.received_at = WallTime{std::chrono::seconds{1'000'000 + number}};
    event.headers = archived(type);
    return event;
}

TEST(RerunPlan, CountsWhatWouldBeDoneAndWhyTheRestWouldNot) {
    const auto effects = effects_named({"old", "fresh"});
    RerunPlan plan{effects, ""};
    for (int number = 12; number > 0; --number)
        plan.look_at(past(number, InboxStatus::done, std::vector<std::string>{"old"}));
    plan.look_at(past(20, InboxStatus::ignored, std::nullopt));
    plan.look_at(past(21, InboxStatus::done, std::vector<std::string>{"old", "fresh"}));
    plan.look_at(past(22, InboxStatus::done, std::nullopt));
    plan.look_at(past(23, InboxStatus::ignored, std::nullopt, "refunded"));
    auto gone = past(24, InboxStatus::ignored, std::nullopt);
    gone.headers.reset();
    plan.look_at(gone);
    gone.erased = true;
    plan.look_at(gone);
    gone.headers = "{}";
    plan.look_at(gone);
    plan.close();
    EXPECT_EQ(plan.total(), 13);
    EXPECT_EQ(plan.targets().front().offset, 1) << "the first one of its log has the first turn";
    const Json told = plan.to_json();
    EXPECT_EQ(told["total"], 13);
    EXPECT_EQ(
        told["left_alone"],
        (Json{{"erased", 1}, {"had_all", 2}, {"had_unknown", 1}, {"no_payload", 1}, {"unreadable", 1}}));
    ASSERT_EQ(told["counts"].size(), 2U);
    EXPECT_EQ(told["counts"][0]["effects"], "fresh");
    EXPECT_EQ(told["counts"][0]["count"], 12);
    EXPECT_EQ(told["counts"][1]["effects"], "old, fresh");
    ASSERT_EQ(told["sample"].size(), 10U);
    EXPECT_EQ(told["sample"][0]["id"], "evt_1");
    const auto text = plan.to_people();
    EXPECT_TRUE(text.starts_with("rerun 13 events, after what was applied to their objects before:\n"))
        << text;
    EXPECT_TRUE(text.contains("the first of them:")) << text;
    EXPECT_TRUE(text.contains("left out: 1 erased, 2 had_all, 1 had_unknown, 1 no_payload, 1 unreadable."))
        << text;
}

TEST(RerunPlan, IsOfOneEffectWhereThatIsNamed) {
    const auto effects = effects_named({"old", "fresh"});
    RerunPlan plan{effects, "fresh"};
    plan.look_at(past(1, InboxStatus::ignored, std::nullopt));
    plan.close();
    EXPECT_EQ(plan.to_json()["counts"][0]["effects"], "fresh");
    RerunPlan other{effects, "frehs"};
    other.look_at(past(1, InboxStatus::ignored, std::nullopt));
    EXPECT_EQ(other.to_json()["left_alone"], (Json{{"no_such_effect", 1}}));
    EXPECT_TRUE(other.to_people().starts_with("No events to rerun.\n"));
}

TEST(RerunCommands, AreOfTheirTargetsInOrder) {
    std::vector<RerunTarget> targets(501);
    for (std::size_t i = 0; i < targets.size(); ++i)
        targets[i] = {
            .key = {record::undated, crypto::sha256(std::to_string(i))}, .object_key = "o", .topic = "t"};
    OperatorRequest request;
    request.action = store::ActionKind::rerun;
    request.run = new_run_at({});
    request.operator_name = "ada";
    request.reason = "forgotten";
    request.effect = "fresh";
    const SystemClock clock;
    RerunCommands commands{request, targets, clock};
    const auto first = commands.next_page();
    ASSERT_EQ(first.size(), 500U);
    EXPECT_EQ(command::flaw_in(first[3].command), std::nullopt);
    EXPECT_EQ(first[3].command.id, command::id_in_run(request.run, targets[3].key));
    EXPECT_EQ(first[3].command.event, targets[3].key);
    EXPECT_EQ(first[3].command.effect, "fresh");
    EXPECT_EQ(commands.next_page().size(), 1U);
    EXPECT_TRUE(commands.next_page().empty());
}

TEST(RerunOptions, WantNamesOrAFilterOrEverything) {
    const auto is_sound = [](const RerunOptions& options) {
        try {
            refuse_unless_sound(options);
            return true;
        } catch (const Stopped& stopped) {
            EXPECT_EQ(stopped.exit(), Exit::usage);
            return false;
        }
    };
    RerunOptions options;
    EXPECT_FALSE(is_sound(options));
    options.effect = "fresh";
    EXPECT_TRUE(is_sound(options));
    options.names = {"evt_1"};
    EXPECT_TRUE(is_sound(options));
    options.status = "done";
    EXPECT_FALSE(is_sound(options)) << "ids or filters, not both";
    options.names.clear();
    EXPECT_TRUE(is_sound(options));
    options.status = "dead";
    EXPECT_FALSE(is_sound(options));
    options.status.clear();
    options.run.run = uuid_text(new_run(1));
    EXPECT_FALSE(is_sound(options)) << "a run of dlq";
    options.run.run = uuid_text(new_run_at({}));
    EXPECT_TRUE(is_sound(options));
    options.run.rate = "fast";
    EXPECT_FALSE(is_sound(options));
}

}  // namespace
}  // namespace sluice::ctl
