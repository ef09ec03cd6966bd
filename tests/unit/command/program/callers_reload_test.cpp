#include "command/program/callers_reload.hpp"

#include <fcntl.h>

#include <gtest/gtest.h>

namespace sluice::command {
namespace {

Caller named(const std::string& name, const std::string& principal) {
    return {.name = name, .principal = principal, .signature = nullptr, .certificate = {}, .limit = {}};
}

class Reloading : public testing::Test {
protected:
    CallersReload watch(CallerSet in_use) {
        CallersReload::File file{"/nowhere/sluice.yaml", "", [this] {
                                     if (!refusal_.empty()) throw config::Refused{refusal_};
                                     return next_;
                                 }};
        return {std::move(file), in_use, [this](const CallerSet& callers) { used_.push_back(callers); }, log_,
                metrics_};
    }
    [[nodiscard]] double failed() { return metrics_.gauge("sluice_config_reload_failed", "").Value(); }

    Metrics metrics_;
    Log log_{{.program = "unit", .descriptor = ::open("/dev/null", O_WRONLY)}};
    CallerSet next_;
    std::string refusal_;
    std::vector<CallerSet> used_;
};

TEST_F(Reloading, CallersThatAreReadAreUsed) {
    auto reload = watch({named("ads", "ads-team")});
    next_ = {named("ads", "ads-team"), named("shop", "shop-team")};
    reload.force();
    ASSERT_EQ(used_.size(), 1U);
    EXPECT_EQ(used_.front().size(), 2U);
    EXPECT_EQ(failed(), 0);
}

TEST_F(Reloading, FileThatIsWrongChangesNothing) {
    auto reload = watch({named("ads", "ads-team")});
    refusal_ = "wrong";
    reload.force();
    EXPECT_TRUE(used_.empty());
    EXPECT_EQ(failed(), 1);
    refusal_ = "";
    reload.force();
    EXPECT_EQ(failed(), 0);
}

TEST_F(Reloading, PrincipalOfACallerStaysForAsLongAsTheProcess) {
    auto reload = watch({named("ads", "ads-team")});
    next_ = {named("ads", "other-team")};
    reload.force();
    next_ = {named("shop", "shop-team")};
    reload.force();
    next_ = {named("ads", "other-team"), named("shop", "shop-team")};
    reload.force();
    EXPECT_EQ(used_.size(), 1U) << "its keys would be new ones: what was executed could be again";
    EXPECT_EQ(failed(), 1);
}

TEST_F(Reloading, WhatStaysTheSameIsReadOnce) {
    auto reload = watch({});
    reload.check();
    reload.check();
    EXPECT_EQ(used_.size(), 1U);
}

}  // namespace
}  // namespace sluice::command
