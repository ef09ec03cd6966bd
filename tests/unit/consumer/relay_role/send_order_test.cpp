#include "consumer/relay_role/send_order.hpp"

#include <gtest/gtest.h>

namespace sluice::consumer {
namespace {

using store::OutboxMessage;

OutboxMessage message(std::int64_t id, std::optional<std::string> key, bool is_due = true) {
    OutboxMessage one;
    one.id = id;
    one.key = std::move(key);
    one.is_due = is_due;
    return one;
}

std::vector<std::int64_t> ids(const std::vector<OutboxMessage>& messages) {
    std::vector<std::int64_t> all;
    for (const auto& one : messages) all.push_back(one.id);
    return all;
}

using Ids = std::vector<std::int64_t>;

TEST(SendOrder, GivesOfEachKeyOneAtATime) {
    std::vector<OutboxMessage> page{message(1, "a"), message(2, "b"), message(3, "a"), message(4, "a")};
    SendOrder order;
    order.take(page);
    EXPECT_EQ(ids(order.next()), (Ids{1, 2}));
    EXPECT_EQ(ids(order.next()), (Ids{3}));
    EXPECT_EQ(ids(order.next()), (Ids{4}));
    EXPECT_EQ(ids(order.next()), Ids{});
}

TEST(SendOrder, GivesAllWithoutAKeyAtOnce) {
    std::vector<OutboxMessage> page{message(1, std::nullopt), message(2, std::nullopt)};
    SendOrder order;
    order.take(page);
    EXPECT_EQ(ids(order.next()), (Ids{1, 2}));
}

TEST(SendOrder, HoldsWhatIsBehindAMessageThatStays) {
    std::vector<OutboxMessage> page{message(1, "a"), message(2, "b"), message(3, "a"), message(4, "b")};
    std::vector<OutboxMessage> behind{message(5, "a"), message(6, "b")};
    SendOrder order;
    order.take(page);
    const auto first = order.next();
    order.stays(first.front());
    EXPECT_EQ(ids(order.next()), (Ids{4}));
    order.take(behind);
    EXPECT_EQ(ids(order.next()), (Ids{6})) << "a key is held for the whole visit";
}

TEST(SendOrder, HoldsWhatIsBehindAMessageThatIsNotDue) {
    std::vector<OutboxMessage> page{message(1, "a", false), message(2, "a"), message(3, std::nullopt, false),
                                    message(4, std::nullopt)};
    SendOrder order;
    order.take(page);
    EXPECT_EQ(ids(order.next()), (Ids{4}));
    EXPECT_EQ(ids(order.next()), Ids{});
}

TEST(SendOrder, GivesEightMegabytesAtOnceButOneMessageHoweverLarge) {
    std::vector<OutboxMessage> page{message(1, "a"), message(2, "b"), message(3, "c"), message(4, "a")};
    page[0].size = 9'000'000;
    page[1].size = 5'000'000;
    page[2].size = 3'000'000;
    page[3].size = 1;
    SendOrder order;
    order.take(page);
    EXPECT_EQ(ids(order.next()), Ids{1});
    EXPECT_EQ(ids(order.next()), (Ids{2, 3}));
    EXPECT_EQ(ids(order.next()), Ids{4});
}

TEST(SendOrder, KeepsTheOrderOfAKeyWhoseFirstMessageFindsNoRoom) {
    std::vector<OutboxMessage> page{message(1, "a"), message(2, "b"), message(3, "b")};
    page[0].size = 5'000'000;
    page[1].size = 5'000'000;
    SendOrder order;
    order.take(page);
    EXPECT_EQ(ids(order.next()), Ids{1}) << "3 is small enough, and behind 2";
    EXPECT_EQ(ids(order.next()), Ids{2});
    EXPECT_EQ(ids(order.next()), Ids{3});
}

TEST(SendOrder, GivesWhatIsLeftTogetherWithTheNextPage) {
    SendOrder order;
    order.take({message(1, "a"), message(2, "a"), message(3, "a"), message(4, "b")});
    EXPECT_EQ(ids(order.next()), (Ids{1, 4}));
    EXPECT_EQ(order.left(), 2);
    order.take({message(5, "a"), message(6, "b")});
    EXPECT_EQ(ids(order.next()), (Ids{2, 6})) << "of each key one";
    EXPECT_EQ(ids(order.next()), Ids{3});
    EXPECT_EQ(ids(order.next()), Ids{5});
    EXPECT_EQ(order.left(), 0);
}

TEST(SendOrder, KeepsNoMoreOfAKeyThanAPageHas) {
    std::vector<OutboxMessage> many;
    for (std::int64_t id = 1; id <= 600; ++id) many.push_back(message(id, "busy"));
    many.push_back(message(601, "other"));
    SendOrder order;
    order.take(std::move(many));
    EXPECT_EQ(order.left(), store::outbox_batch + 1);
    EXPECT_EQ(ids(order.next()), (Ids{1, 601}));
    for (std::int64_t id = 2; id <= 256; ++id) EXPECT_EQ(ids(order.next()), Ids{id});
    order.take({message(602, "busy")});
    EXPECT_TRUE(order.next().empty()) << "behind those that were left out";
}

TEST(SendOrder, GivesNoMoreAtOnceThanAPageHas) {
    SendOrder order;
    for (std::size_t page = 0; page < 2; ++page) {
        std::vector<OutboxMessage> some;
        for (std::size_t i = 0; i < store::outbox_batch; ++i)
            some.push_back(
                message(static_cast<std::int64_t>(page * store::outbox_batch + i + 1), std::nullopt));
        order.take(std::move(some));
    }
    const auto first = order.next();
    EXPECT_EQ(first.size(), store::outbox_batch);
    EXPECT_EQ(first.back().id, store::outbox_batch) << "in their order";
    EXPECT_EQ(order.next().size(), store::outbox_batch);
    EXPECT_TRUE(order.next().empty());
}

TEST(SendOrder, KeepsTheOrderOfIdsWhereSomeWerePutBack) {
    std::vector<OutboxMessage> page{message(1, "a"), message(2, "a"), message(3, "b")};
    SendOrder order;
    order.take(page);
    const auto first = order.next();
    ASSERT_EQ(ids(first), (Ids{1, 3}));
    order.put_back({first.back()});
    EXPECT_EQ(ids(order.next()), (Ids{2, 3}));
}

TEST(SendOrder, TellsTheAgeOfWhatNoRefusedMessageHolds) {
    std::vector<OutboxMessage> page{message(1, "a", false), message(2, "a"), message(3, "b"),
                                    message(4, "b")};
    page[0].is_refused = true;
    for (auto& one : page) one.age = std::chrono::seconds{50 - 10 * one.id};
    SendOrder order;
    order.take(page);
    EXPECT_EQ(order.oldest(), std::chrono::seconds{20}) << "of the third";
    EXPECT_FALSE(order.has_put_off());
    std::vector<OutboxMessage> behind{message(5, "c", false)};
    order.take(behind);
    EXPECT_TRUE(order.has_put_off());
}

TEST(SendOrder, GivesAgainWhatWasPutBackBeforeWhatIsBehindIt) {
    std::vector<OutboxMessage> page{message(1, "a"), message(2, "b"), message(3, "a")};
    SendOrder order;
    order.take(page);
    const auto first = order.next();
    order.put_back(first);
    EXPECT_EQ(ids(order.next()), (Ids{1, 2}));
    EXPECT_EQ(ids(order.next()), Ids{3});
}

}  // namespace
}  // namespace sluice::consumer
