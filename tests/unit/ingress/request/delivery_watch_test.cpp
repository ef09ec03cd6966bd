#include "ingress/request/delivery_watch.hpp"

#include <gtest/gtest.h>

#include <string>

namespace sluice::ingress {
namespace {

crypto::Digest key_of(int event) {
    return crypto::sha256(std::to_string(event));
}

TEST(DeliveryWatch, TellsAnEventThatComesUnderAnotherId) {
    DeliveryWatch watch;
    EXPECT_FALSE(watch.is_other(key_of(1), "evt_1")) << "nobody knows it";
    EXPECT_FALSE(watch.is_other(key_of(1), "evt_1")) << "a redelivery keeps its id";
    EXPECT_TRUE(watch.is_other(key_of(1), "evt_2"));
    EXPECT_TRUE(watch.is_other(key_of(1), ""));
    EXPECT_FALSE(watch.is_other(key_of(2), "evt_1")) << "another event";
}

TEST(DeliveryWatch, ForgetsRatherThanTellWhatIsNotSo) {
    DeliveryWatch watch;
    const int events = 3 * static_cast<int>(DeliveryWatch::size);
    for (int event = 0; event < events; ++event)
        ASSERT_FALSE(watch.is_other(key_of(event), "id-" + std::to_string(event))) << event;
    EXPECT_TRUE(watch.is_other(key_of(events - 1), "another"));
}

}  // namespace
}  // namespace sluice::ingress
