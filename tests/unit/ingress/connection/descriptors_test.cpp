#include "ingress/connection/descriptors.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

namespace sluice::connection {
namespace {

TEST(Descriptors, ClientsLeaveSomeForAllElse) {
    EXPECT_EQ(affordable_connections(20'000, 1'048'576), 20'000);
    EXPECT_EQ(affordable_connections(20'000, 20'256), 20'000);
    EXPECT_EQ(affordable_connections(20'000, 20'255), 19'999);
    EXPECT_EQ(affordable_connections(20'000, 1024), 768);
    EXPECT_EQ(affordable_connections(20'000, 100), 50);
    EXPECT_EQ(affordable_connections(20'000, 0), 1);
    EXPECT_EQ(affordable_connections(1, 1024), 1);
}

TEST(Descriptors, LimitIsRaisedAsFarAsItMayAndNeverLowered) {
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
    const rlimit tight{before.rlim_max / 2, before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &tight), 0);
    EXPECT_EQ(allow_descriptors(10), tight.rlim_cur);
    EXPECT_EQ(allow_descriptors(tight.rlim_cur + 1), tight.rlim_cur + 1);
    EXPECT_EQ(allow_descriptors(before.rlim_max + 1), before.rlim_max);
    ::setrlimit(RLIMIT_NOFILE, &before);
}

}  // namespace
}  // namespace sluice::connection
