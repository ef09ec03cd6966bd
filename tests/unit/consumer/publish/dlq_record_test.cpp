#include "consumer/publish/dlq_record.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace sluice::consumer {
namespace {

using List = std::vector<std::pair<std::string, std::string>>;

class DeadLetterHeaders : public testing::Test {
protected:
    List write() { return dead_letter_headers(record, {"payments.webhooks.v1", "sluice"}, notice); }
    static std::string value(const List& headers, std::string_view name) {
        const auto at = std::ranges::find(headers, name, &List::value_type::first);
        return at == headers.end() ? "(none)" : at->second;
    }
    static auto count(const List& headers, std::string_view name) {
        return std::ranges::count(headers, name, &List::value_type::first);
    }

    Record record{.at = {3, 0x0102030405060708, 1},
                  .key = "stripe/acct/pi_1",
                  .value = "{}",
                  .headers = {{"ce_id", "evt_1"}, {"content-type", "application/json"}},
                  .appended_at = WallTime{std::chrono::milliseconds{1'700'000'000'123}},
                  .owner = {}};
    DeathNotice notice{"park", "rows matched: 7", 4, WallTime{std::chrono::seconds{1'700'000'000}}};
};

TEST_F(DeadLetterHeaders, KeepsTheRecordsOwnFirstAndInOrder) {
    const List headers = write();
    EXPECT_EQ(headers[0], (List::value_type{"ce_id", "evt_1"}));
    EXPECT_EQ(headers[1], (List::value_type{"content-type", "application/json"}));
}

TEST_F(DeadLetterHeaders, WritesSpringsSetInSpringsEncodings) {
    const List headers = write();
    EXPECT_EQ(value(headers, "kafka_dlt-original-topic"), "payments.webhooks.v1");
    EXPECT_EQ(value(headers, "kafka_dlt-original-partition"), std::string("\0\0\0\3", 4));
    EXPECT_EQ(value(headers, "kafka_dlt-original-offset"), std::string("\1\2\3\4\5\6\7\10", 8));
    EXPECT_EQ(value(headers, "kafka_dlt-original-timestamp"), std::string("\0\0\1\x8b\xcf\xe5\x68\x7b", 8));
    EXPECT_EQ(value(headers, "kafka_dlt-original-consumer-group"), "sluice");
    EXPECT_EQ(value(headers, "kafka_dlt-exception-fqcn"), "sluice.park");
    EXPECT_EQ(value(headers, "kafka_dlt-exception-message"), "rows matched: 7");
    EXPECT_EQ(value(headers, "retry_topic-attempts"), std::string("\0\0\0\4", 4));
}

TEST_F(DeadLetterHeaders, WritesConnectsSetAsText) {
    const List headers = write();
    EXPECT_EQ(value(headers, "__connect.errors.topic"), "payments.webhooks.v1");
    EXPECT_EQ(value(headers, "__connect.errors.partition"), "3");
    EXPECT_EQ(value(headers, "__connect.errors.offset"), "72623859790382856");
    EXPECT_EQ(value(headers, "__connect.errors.exception.message"), "rows matched: 7");
}

TEST_F(DeadLetterHeaders, WritesOurs) {
    const List headers = write();
    EXPECT_EQ(value(headers, "sluice-attempt"), "4");
    EXPECT_EQ(value(headers, "sluice-error-class"), "park");
    EXPECT_EQ(value(headers, "sluice-first-failed-at"), "2023-11-14T22:13:20.000000Z");
}

TEST_F(DeadLetterHeaders, AnEarlierNoticeIsReplacedNotDoubled) {
    record.headers.push_back({"sluice-attempt", "1"});
    record.headers.push_back({"kafka_dlt-original-topic", "elsewhere"});
    record.headers.push_back({"__connect.errors.stage", "x"});
    const List headers = write();
    EXPECT_EQ(count(headers, "sluice-attempt"), 1);
    EXPECT_EQ(count(headers, "kafka_dlt-original-topic"), 1);
    EXPECT_EQ(count(headers, "__connect.errors.stage"), 1);
}

TEST_F(DeadLetterHeaders, AReasonIsBounded) {
    notice.reason = std::string(5000, 'x');
    EXPECT_EQ(value(write(), "kafka_dlt-exception-message").size(), 1024u);
}

}  // namespace
}  // namespace sluice::consumer
