#include "consumer/store/inbox/payload.hpp"

#include "tests/unit/consumer/store/server/events.hpp"
#include "tests/unit/consumer/store/server/fixture.hpp"

namespace sluice::store {
namespace {

using PayloadTest = ServerTest;

TEST_F(PayloadTest, KeepsEveryByte) {
    const auto connection = open_migrated();
    std::string body;
    for (int byte = 0; byte < 256; ++byte) body.push_back(static_cast<char>(byte));
    const PayloadEntry entry{key_of(1), R"([["Host","x"]])", body};
    ASSERT_TRUE(insert_payloads(*connection, {&entry, 1})) << connection->last_error().message;
    const auto found = find_payload(*connection, key_of(1));
    ASSERT_TRUE(found && *found);
    EXPECT_EQ((*found)->body, body);
    EXPECT_EQ((*found)->headers, R"([["Host","x"]])");
    EXPECT_FALSE(find_payload(*connection, key_of(2))->has_value());
}

TEST_F(PayloadTest, CutsABatchOfLargeBodiesIntoPackets) {
    const auto admin = open_migrated();
    const auto before = number(*admin, "SELECT @@global.max_allowed_packet");
    run(*admin, "SET GLOBAL max_allowed_packet = 4194304");
    const auto connection = open();
    run(*admin, "SET GLOBAL max_allowed_packet = " + std::to_string(before));
    const std::string large(1 << 20, 'x');
    const std::string huge(3 << 20, 'y');
    std::vector<PayloadEntry> entries;
    for (int i = 0; i < 9; ++i) entries.push_back({key_of(i), "[]", i == 4 ? huge : large});
    ASSERT_TRUE(connection->begin());
    ASSERT_TRUE(insert_payloads(*connection, entries)) << connection->last_error().message;
    ASSERT_TRUE(connection->commit());
    EXPECT_EQ(number(*connection, "SELECT COUNT(*) FROM event_payload"), 9);
    EXPECT_EQ((*find_payload(*connection, key_of(4)))->body.size(), huge.size());
}

TEST_F(PayloadTest, GivesWayToWhatIsAppliedNow) {
    const auto connection = open_migrated();
    const PayloadEntry first{key_of(1), "[]", "before"};
    ASSERT_TRUE(insert_payloads(*connection, {&first, 1}));
    // Somebody deleted the inbox row, and the event came again.
    const std::vector<PayloadEntry> again{{key_of(0), "[]", "{}"}, {key_of(1), "[1]", "now"}};
    ASSERT_TRUE(insert_payloads(*connection, again)) << connection->last_error().message;
    EXPECT_EQ((*find_payload(*connection, key_of(1)))->body, "now");
    EXPECT_EQ((*find_payload(*connection, key_of(1)))->headers, "[1]");
    EXPECT_EQ(number(*connection, "SELECT COUNT(*) FROM event_payload"), 2);
}

TEST_F(PayloadTest, TakesManySmallOnes) {
    const auto connection = open_migrated();
    std::vector<PayloadEntry> entries;
    for (int i = 0; i < 300; ++i) entries.push_back({key_of(i), "[]", "{}"});
    ASSERT_TRUE(insert_payloads(*connection, entries));
    ASSERT_TRUE(insert_payloads(*connection, {}));
    EXPECT_EQ(number(*connection, "SELECT COUNT(*) FROM event_payload"), 300);
}

}  // namespace
}  // namespace sluice::store
