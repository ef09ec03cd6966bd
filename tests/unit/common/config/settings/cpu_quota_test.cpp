#include "common/config/settings/cpu_quota.hpp"

#include <fstream>

#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include "common/config/settings/connections.hpp"

namespace sluice::config {
namespace {

namespace fs = std::filesystem;

/// A folder that looks like /sys/fs/cgroup.
class CpuQuota : public testing::Test {
protected:
    ~CpuQuota() override { fs::remove_all(mount_); }

    void write(const fs::path& file, const std::string& text) const {
        fs::create_directories((mount_ / file).parent_path());
        std::ofstream{mount_ / file} << text;
    }

    [[nodiscard]] std::optional<int> quota(std::string_view own_groups) const {
        return cpu_quota(mount_, own_groups);
    }

private:
    fs::path mount_ = fs::temp_directory_path() / ("sluice-unit-cgroup-" + std::to_string(::getpid()));
};

TEST(CpuMax, IsRoundedUp) {
    EXPECT_EQ(cpus_of_cpu_max("100000 100000\n"), 1);
    EXPECT_EQ(cpus_of_cpu_max("150000 100000\n"), 2);
    EXPECT_EQ(cpus_of_cpu_max("200000 100000\n"), 2);
    EXPECT_EQ(cpus_of_cpu_max("1000 100000\n"), 1);
    EXPECT_EQ(cpus_of_cpu_max("400000 50000"), 8);
}

TEST(CpuMax, NoQuotaIsNone) {
    for (const auto* const text :
         {"max 100000\n", "", "100000", "-1 100000", "0 100000", "100000 0", "x y"}) {
        EXPECT_EQ(cpus_of_cpu_max(text), std::nullopt) << text;
    }
}

TEST_F(CpuQuota, LeastOnTheWayToTheRootCounts) {
    write("kubepods/cpu.max", "300000 100000\n");
    write("kubepods/pod1/cpu.max", "600000 100000\n");
    write("kubepods/pod1/c/cpu.max", "max 100000\n");
    EXPECT_EQ(quota("0::/kubepods/pod1/c\n"), 3);
    write("kubepods/pod1/c/cpu.max", "50000 100000\n");
    EXPECT_EQ(quota("0::/kubepods/pod1/c\n"), 1);
}

TEST_F(CpuQuota, ContainerSeesItsOwnGroupAtTheMount) {
    write("cpu.max", "250000 100000\n");
    EXPECT_EQ(quota("0::/\n"), 3);
    EXPECT_EQ(quota("0::/docker/0123\n"), 3);
}

TEST_F(CpuQuota, VersionOneHasAFolderPerController) {
    write("cpu,cpuacct/docker/1/cpu.cfs_quota_us", "150000\n");
    write("cpu,cpuacct/docker/1/cpu.cfs_period_us", "100000\n");
    EXPECT_EQ(quota("5:memory:/docker/1\n4:cpu,cpuacct:/docker/1\n1:name=systemd:/x\n"), 2);
    write("cpuset/docker/1/cpu.cfs_quota_us", "150000\n");
    write("cpuset/docker/1/cpu.cfs_period_us", "100000\n");
    EXPECT_EQ(quota("4:cpuset:/docker/1\n"), std::nullopt);
}

TEST_F(CpuQuota, VersionOneMinusOneIsNone) {
    write("cpu/cpu.cfs_quota_us", "-1\n");
    write("cpu/cpu.cfs_period_us", "100000\n");
    EXPECT_EQ(quota("4:cpu:/\n"), std::nullopt);
}

TEST_F(CpuQuota, NothingMountedIsNone) {
    EXPECT_EQ(quota("0::/a/b\n"), std::nullopt);
    EXPECT_EQ(quota(""), std::nullopt);
    EXPECT_EQ(quota("garbage\n:\n::\n"), std::nullopt);
}

TEST(UsableCpus, IsOneAtLeastAndTheAffinityAtMost) {
    cpu_set_t mask;
    ASSERT_EQ(::sched_getaffinity(0, sizeof mask, &mask), 0);
    EXPECT_GE(usable_cpus(), 1);
    EXPECT_LE(usable_cpus(), CPU_COUNT(&mask));
}

}  // namespace
}  // namespace sluice::config
