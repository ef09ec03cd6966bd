#include "consumer/quarantine/quarantine.hpp"

#include <fcntl.h>

#include "consumer/apply/unfit_record.hpp"
#include "consumer/command/execute/carry_out.hpp"
#include "consumer/store/dead_letter/dead_letter_read.hpp"
#include "consumer/store/driver/meta.hpp"
#include "tests/unit/consumer/quarantine/kept_requests.hpp"
#include "tests/unit/consumer/store/server/fixture.hpp"

namespace sluice::consumer::test {
namespace {

constexpr std::string_view topic_id = "id-of-the-topic";

class NoBroker final : public Publisher {
public:
    Result<void> publish(const Outgoing&) override { return Failure{errc::timed_out}; }
};

/// One configuration's retry role on a database that outlives it.
class Role {
public:
    explicit Role(const Configured& configured)
        : configured_{configured}, effects_{read_effects(configured)} {
        kafka_.quarantine_topic = "t.quarantine";
    }

    Visited take(store::Connection& connection, const Record& record) {
        std::string trouble;
        const auto visited =
            Quarantine{context_, std::string{topic_id}, log_, metrics_}.take(connection, record, trouble);
        EXPECT_EQ(trouble, "");
        return visited;
    }

    [[nodiscard]] Quarantine quarantine() { return {context_, std::string{topic_id}, log_, metrics_}; }

    CarryOut::Answer run(store::Connection& connection, const command::Command& command) {
        const Authenticity authenticity{configured_.sources};
        auto answer = CarryOut{context_, authenticity}.run(command, connection);
        EXPECT_TRUE(answer) << connection.last_error().message;
        return answer ? *answer : CarryOut::Answer{};
    }

private:
    static effects::EffectSet read_effects(const Configured& configured) {
        config::Problems problems;
        const auto document = config::Document::from_text(
            "effects:\n  - name: all\n    when: {provider: acme}\n    sql: [{run: UPDATE paid SET n = n + "
            "1}]\n",
            "effects.yaml", problems);
        auto effects = effects::EffectSet::read(document, configured.sources, problems);
        EXPECT_FALSE(problems.any()) << problems.report();
        return effects;
    }

    const Configured& configured_;
    Log log_{{.program = "test", .descriptor = ::open("/dev/null", O_WRONLY)}};
    Metrics metrics_;
    Readiness readiness_;
    SystemClock clock_;
    config::KafkaSettings kafka_;
    effects::EffectSet effects_;
    trace::Tracer tracer_;  // off
    EventSpans spans_{tracer_, kafka_, clock_};
    Decisions decisions_{log_, metrics_, spans_};
    NoBroker publisher_;
    DeadLetterBudget budget_{{}, clock_, log_, metrics_, readiness_};
    Rules rules_{effects_, configured_.sources, kafka_, {}};
    LaneContext context_{rules_, decisions_, publisher_, budget_, readiness_, clock_};
};

class QuarantineTest : public store::ServerTest {
protected:
    void SetUp() override {
        ServerTest::SetUp();
        connection = open_migrated();
    }

    /// The id of the entry of `kept`, opened under the wrong recipe.
    std::int64_t open_entry_of(const Kept& kept) {
        EXPECT_EQ(Role{wrong}.take(*connection, kept.record()), Visited::settled);
        return store::find_dead_letter_of_record(*connection, seen_once(topic_id, kept.record())).value()->id;
    }
    store::DeadLetterRow dead_letter(std::int64_t id) {
        return store::find_dead_letter(*connection, id).value().value();
    }
    std::int64_t count(const std::string& from) {
        return number(*connection, "SELECT COUNT(*) FROM " + from);
    }

    command::Command retry_of(std::int64_t entry) {
        command::Command command;
        command.id = {static_cast<std::uint8_t>(++commands_)};
        command.object_key = dead_letter(entry).object_key;
        command.dead_letter = entry;
        command.operator_name = "alice";
        command.reason = "recipe mended";
        return command;
    }

    std::unique_ptr<store::Connection> connection;
    const Configured wrong = configured(recipe("", "/event_id"));
    const Configured mended = configured(recipe("", "/id"));

private:
    static inline int commands_ = 0;
};

using AnswerKind = CarryOut::Answer::Kind;

TEST_F(QuarantineTest, ARecordAtAnOffsetThatIsGivenAgainHasAnEntryOfItsOwn) {
    const Kept kept{wrong, body};
    Record record = kept.record();
    Role role{wrong};
    for (const std::int32_t epoch : {4, 4, 6, 6}) {  // the log was cut: another leader, the same offset
        record.leader_epoch = epoch;
        EXPECT_EQ(role.take(*connection, record), Visited::settled);
    }
    EXPECT_EQ(count("dead_letter"), 2);
}

TEST_F(QuarantineTest, OpensOneEntryThatOwesNothing) {
    const Kept kept{wrong, body};
    const auto entry = dead_letter(open_entry_of(kept));
    EXPECT_EQ(entry.kind, store::DeadLetterKind::unreadable);
    EXPECT_FALSE(entry.place || entry.inbox);
    EXPECT_EQ(entry.source, "eu");
    EXPECT_EQ(entry.error_class, "unreadable");
    EXPECT_EQ(entry.error_text, "missing_pointer; id: /event_id is missing");
    EXPECT_EQ(entry.topic, "t.quarantine");
    EXPECT_EQ(entry.body, body);
    EXPECT_TRUE(entry.dlq_sent);
    EXPECT_EQ(open_entry_of(kept), entry.id);
    EXPECT_EQ(count("dead_letter"), 1);
}

TEST_F(QuarantineTest, RecordThatTheTableRefusesIsAnEntryWithoutIt) {
    run(*connection,
        "CREATE TRIGGER no_body BEFORE INSERT ON dead_letter FOR EACH ROW IF LENGTH(NEW.body) > 0 THEN"
        " SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = 9999, MESSAGE_TEXT = 'no'; END IF");
    const Kept kept{wrong, body};
    Role role{wrong};
    Quarantine quarantine = role.quarantine();
    std::string trouble;
    EXPECT_EQ(quarantine.take(*connection, kept.record(), trouble), Visited::again_soon);
    EXPECT_EQ(quarantine.take(*connection, kept.record(), trouble), Visited::again_soon);
    EXPECT_EQ(quarantine.take(*connection, kept.record(), trouble), Visited::settled);
    EXPECT_EQ(trouble, "");
    const auto id =
        store::find_dead_letter_of_record(*connection, seen_once(topic_id, kept.record())).value()->id;
    EXPECT_EQ(dead_letter(id).error_text,
              "missing_pointer; id: /event_id is missing; MySQL refused its headers and body (error (9999)): "
              "Kafka has them");
    EXPECT_EQ(dead_letter(id).body, "");
    EXPECT_EQ(role.run(*connection, retry_of(id)).why, "unreadable");
}

TEST_F(QuarantineTest, RecordThatTheTableRefusesAltogetherWaitsAlone) {
    run(*connection,
        "CREATE TRIGGER none BEFORE INSERT ON dead_letter FOR EACH ROW"
        " SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = 9999, MESSAGE_TEXT = 'no'");
    Role role{wrong};
    Quarantine quarantine = role.quarantine();
    std::string trouble;
    for (int i = 0; i < 7; ++i) {
        EXPECT_EQ(quarantine.take(*connection, Kept{wrong, body}.record(), trouble), Visited::again_soon);
    }
    EXPECT_EQ(trouble, "");
}

TEST_F(QuarantineTest, RequestOfASourceThatThisProcessDoesNotKnowIsAnEntryAllTheSame) {
    const Configured other = configured(recipe("", "/id"), "us", "acct_us");
    const Kept kept{wrong, body};
    EXPECT_EQ(Role{other}.take(*connection, kept.record()), Visited::settled);
    EXPECT_EQ(dead_letter(open_entry_of(kept)).error_text,
              "no_source; the ingress said missing_pointer; id: /event_id is missing");
    EXPECT_EQ(count("dead_letter"), 1);
}

TEST_F(QuarantineTest, LeavesRecordsAloneThatTheIngressDidNotWrite) {
    Record foreign = Kept{wrong, body}.record();
    foreign.headers.clear();
    EXPECT_EQ(Role{wrong}.take(*connection, foreign), Visited::settled);
    EXPECT_EQ(count("dead_letter"), 0);
}

TEST_F(QuarantineTest, RetryLetsTheEventInUnderItsOwnKeyOnce) {
    const Kept kept{wrong, body};
    const auto entry = open_entry_of(kept);
    Role role{mended};
    const auto command = retry_of(entry);
    const auto answer = role.run(*connection, command);
    EXPECT_EQ(answer.kind, AnswerKind::carried_out) << answer.why;
    EXPECT_EQ(answer.objects, std::vector<std::string>{"acme/acct/o1"});
    const auto event = kept.read(mended)->front();
    const auto row = store::find(*connection, inbox_key(event)).value();
    ASSERT_TRUE(row);
    EXPECT_EQ(row->status, store::InboxStatus::retry);
    EXPECT_EQ(row->event_id, "ev_1");
    EXPECT_EQ(row->topic, "t.quarantine");
    EXPECT_EQ(count("event_payload"), 1);
    const auto lane = store::lock_lane(*connection, store::lane_key_of("acme/acct/o1")).value();
    ASSERT_TRUE(lane);
    EXPECT_EQ(lane->unfinished, 1);
    EXPECT_FALSE(lane->lane.wakeup.sent);
    EXPECT_EQ(lane->facts.front().effects, std::vector<std::string>{"all"});
    EXPECT_EQ(dead_letter(entry).closed_as, store::ClosedAs::retried);

    const auto again = role.run(*connection, command);
    EXPECT_EQ(again.kind, AnswerKind::before);
    EXPECT_EQ(again.objects, answer.objects) << "what died before its visit is visited now";
    EXPECT_EQ(role.run(*connection, retry_of(entry)).why, "finished");
    EXPECT_EQ(count("inbox") + count("lane_event"), 2);
}

TEST_F(QuarantineTest, RetryIsRefusedWhileTheRecipeIsTheSame) {
    const auto entry = open_entry_of(Kept{wrong, body});
    EXPECT_EQ(Role{wrong}.run(*connection, retry_of(entry)).why, "unreadable");
    EXPECT_TRUE(dead_letter(entry).is_open());
    EXPECT_EQ(count("operator_action"), 1);
}

TEST_F(QuarantineTest, RetryIsRefusedForWhatWasNotSignedOrCannotBeTold) {
    const auto entry = open_entry_of(Kept{wrong, body});
    run(*connection, R"(UPDATE dead_letter SET body = '{"id":"ev_1","type":"paid","order":"o2"}')");
    EXPECT_EQ(Role{mended}.run(*connection, retry_of(entry)).why, "not_authentic");
    const Configured keyless{recipe("", "/id") +
                             "sources: [{name: eu, recipe: acme, principal: acct, keys: [{id: other, value: "
                             "{env: SLUICE_TEST_OTHER}}]}]\n"};
    EXPECT_EQ(Role{keyless}.run(*connection, retry_of(entry)).why, "unverifiable");
    EXPECT_TRUE(dead_letter(entry).is_open());
    EXPECT_EQ(count("inbox"), 0);
}

TEST_F(QuarantineTest, EventThatTheProviderDeliveredMeanwhileClosesTheEntryAsDone) {
    const Kept kept{wrong, body};
    const auto entry = open_entry_of(kept);
    const auto twin = open_entry_of(Kept{wrong, body, "/", 18});
    ASSERT_EQ(Role{mended}.run(*connection, retry_of(twin)).kind, AnswerKind::carried_out);
    const auto answer = Role{mended}.run(*connection, retry_of(entry));
    EXPECT_EQ(answer.kind, AnswerKind::refused);
    EXPECT_EQ(answer.why, "finished");
    EXPECT_EQ(dead_letter(entry).closed_as, store::ClosedAs::done);
    EXPECT_EQ(count("lane_event"), 1);
}

TEST_F(QuarantineTest, SameIdWithOtherContentStaysAnOpenEntry) {
    const auto entry = open_entry_of(Kept{wrong, body});
    const auto other = open_entry_of(Kept{wrong, R"({"id":"ev_1","type":"paid","order":"o9"})", "/", 18});
    ASSERT_EQ(Role{mended}.run(*connection, retry_of(entry)).kind, AnswerKind::carried_out);
    EXPECT_EQ(Role{mended}.run(*connection, retry_of(other)).why, "conflict");
    EXPECT_TRUE(dead_letter(other).is_open());
    EXPECT_EQ(count("lane_event"), 1);
}

TEST_F(QuarantineTest, EventOfADroppedDayIsNotLetInUnlessItIsKnown) {
    std::string dated = recipe("", "/id");
    const std::string undated = "day: none";
    dated.replace(dated.find(undated), undated.size(), "day: {pointer: /at, forms: [unix]}");
    const Configured by_day = configured(dated);
    const std::string old = R"({"id":"ev_1","type":"paid","order":"o1","at":1790000000})";
    const auto entry = open_entry_of(Kept{wrong, old});
    const auto twin = open_entry_of(Kept{wrong, old, "/", 18});
    const auto drop_before = [&](std::string_view day) {
        ASSERT_TRUE(store::write_meta(*connection, store::meta::dropped_before, day, received));
    };
    drop_before("2026-09-22");
    EXPECT_EQ(Role{by_day}.run(*connection, retry_of(entry)).why, "too_old");
    EXPECT_TRUE(dead_letter(entry).is_open());
    EXPECT_EQ(count("inbox"), 0);
    drop_before("2026-09-21");
    EXPECT_EQ(Role{by_day}.run(*connection, retry_of(entry)).kind, AnswerKind::carried_out);
    drop_before("2026-09-22");
    EXPECT_EQ(Role{by_day}.run(*connection, retry_of(twin)).why, "finished");
}

TEST_F(QuarantineTest, EventsOfADeliveryAreLetInTogetherAndInOrder) {
    const Configured elsewhere = configured(recipe("    items: {at: /list, signed: together}\n", "/id"));
    const Configured found = configured(recipe(together, "/id"));
    const Kept kept{elsewhere, R"({"events": [)" + body +
                                   R"(, {"id":"ev_2","type":"paid","order":"o2"})"
                                   R"(, {"id":"ev_3","type":"paid","order":"o1"}]})"};
    ASSERT_EQ(Role{elsewhere}.take(*connection, kept.record()), Visited::settled);
    const auto entry =
        store::find_dead_letter_of_record(*connection, seen_once(topic_id, kept.record())).value()->id;
    const auto answer = Role{found}.run(*connection, retry_of(entry));
    ASSERT_EQ(answer.kind, AnswerKind::carried_out) << answer.why;
    EXPECT_EQ(answer.objects, (std::vector<std::string>{"acme/acct/o1", "acme/acct/o2"}));
    EXPECT_EQ(count("inbox"), 3);
    EXPECT_EQ(count("lane_event"), 3);
    EXPECT_EQ(text(*connection,
                   "SELECT body FROM lane_event JOIN lane USING (lane_key)"
                   " WHERE object_key = 'acme/acct/o1' ORDER BY position LIMIT 1"),
              body);
}

TEST_F(QuarantineTest, EditedBodyIsReadInItsPlaceAndTheSignedOneIsKept) {
    const Kept kept{wrong, body};
    const auto entry = open_entry_of(kept);
    auto command = retry_of(entry);
    const std::string edited = R"({"event_id":"ev_1","type":"paid","order":"o5"})";
    command.action = store::ActionKind::edit;
    command.edit = {crypto::sha256(edited), edited};
    const auto answer = Role{wrong}.run(*connection, command);
    ASSERT_EQ(answer.kind, AnswerKind::carried_out) << answer.why;
    EXPECT_EQ(answer.objects, std::vector<std::string>{"acme/acct/o5"});
    EXPECT_EQ(number(*connection, "SELECT edited FROM lane_event"), 1);
    EXPECT_EQ(text(*connection, "SELECT body FROM event_payload"), body);
}

}  // namespace
}  // namespace sluice::consumer::test
