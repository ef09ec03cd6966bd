// Rows of the inbox that go in as literals.
#include "consumer/store/driver/error.hpp"
#include "consumer/store/inbox/inbox.hpp"
#include "tests/unit/consumer/store/server/events.hpp"
#include "tests/unit/consumer/store/server/fixture.hpp"

namespace sluice::store {
namespace {

using InboxRowsTest = ServerTest;

TEST_F(InboxRowsTest, KeepsEachByteOfWhatAnEventIsCalled) {
    const auto connection = open_migrated();
    std::string odd(128, '\0');
    std::string even(127, '\0');
    for (std::size_t i = 0; i < odd.size(); ++i) odd[i] = static_cast<char>(2 * i + 1);
    for (std::size_t i = 0; i < even.size(); ++i) even[i] = static_cast<char>(2 * i);
    for (const std::string_view text :
         {std::string_view{odd}, std::string_view{even}, std::string_view{"a'; DROP TABLE inbox; -- "},
          std::string_view{"\\"}, std::string_view{"日本"}, std::string_view{""}}) {
        auto entry = entry_of(static_cast<int>(text.size()));
        entry.source = text.substr(0, 64);
        entry.event_id = entry.type = entry.object_key = entry.topic = text;
        entry.reference = entry.transaction = text;
        const std::vector<InboxEntry> two{entry_of(1000 + static_cast<int>(text.size())), entry};
        ASSERT_TRUE(insert(*connection, two)) << connection->last_error().message;
        const auto row = **find(*connection, entry.key);
        EXPECT_EQ(row.source, text.substr(0, 64));
        for (const auto& kept :
             {row.event_id, row.type, row.object_key, row.topic, row.reference, row.transaction})
            EXPECT_EQ(kept, text);
    }
}

TEST_F(InboxRowsTest, WritesNoBatchInASessionThatAProxyPutInPlaceOfOurs) {
    const auto connection = open_migrated();
    const std::vector<InboxEntry> batch{entry_of(1), entry_of(2)};
    const std::vector<InboxKey> keys{key_of(1), key_of(2)};
    ASSERT_TRUE(connection->begin());
    run(*connection, "COMMIT");
    run(*connection, "SET SESSION TRANSACTION READ WRITE");
    run(*connection, "SET SESSION sql_mode = ''");
    const auto moved = insert(*connection, batch);
    ASSERT_FALSE(moved);
    EXPECT_EQ(moved.error(), make_error(session_moved, ""));
    EXPECT_EQ(connection->last_error().code, moved.error())
        << "who asks why has to learn that a session was lost";
    EXPECT_FALSE(connection->alive());
    EXPECT_EQ(class_of(moved.error()), ErrorClass::connection);
    const auto other = open();
    EXPECT_TRUE(known(*other, keys)->empty()) << "their effects will never run";
    ASSERT_TRUE(other->begin());
    EXPECT_TRUE(insert(*other, batch)) << other->last_error().message;
    EXPECT_TRUE(other->commit());
    EXPECT_EQ(known(*other, keys)->size(), 2U);
}

}  // namespace
}  // namespace sluice::store
