#include "common/error.hpp"

#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace sluice {
namespace {

struct Row {
    errc code;
    failure what_now;
};

const std::vector<Row>& rows() {
    static const std::vector<Row> table{
        {errc::timed_out, failure::retry},         {errc::stopped, failure::retry},
        {errc::queue_full, failure::retry},        {errc::unavailable, failure::retry},
        {errc::undecodable, failure::park},        {errc::unreadable_body, failure::park},
        {errc::missing_pointer, failure::park},    {errc::wrong_type, failure::park},
        {errc::out_of_range, failure::park},       {errc::duplicate_key, failure::park},
        {errc::unlisted_row_count, failure::park}, {errc::conflicting_content, failure::park},
        {errc::injected, failure::retry},
    };
    return table;
}

TEST(Error, EachCodeSaysWhatNow) {
    for (const auto& row : rows()) {
        const std::error_code code = row.code;
        EXPECT_TRUE(code == row.what_now) << code.message();
        for (const auto other : {failure::reject, failure::retry, failure::park}) {
            EXPECT_EQ(code == other, other == row.what_now) << code.message();
        }
    }
}

TEST(Error, EachCodeHasASentenceOfItsOwn) {
    std::set<std::string> messages;
    for (const auto& row : rows()) {
        const std::error_code code = row.code;
        EXPECT_FALSE(code.message().starts_with("unknown")) << code.value();
        messages.insert(code.message());
    }
    EXPECT_EQ(messages.size(), rows().size());
}

TEST(Error, NoErrorIsNoFailure) {
    const std::error_code none;
    EXPECT_FALSE(none == failure::reject);
    EXPECT_FALSE(none == failure::retry);
    EXPECT_FALSE(none == failure::park);
}

TEST(Error, UnknownCodeIsNoFailureAndSaysItsNumber) {
    const std::error_code code{999, sluice_category()};
    EXPECT_FALSE(code == failure::retry);
    EXPECT_EQ(code.message(), "unknown error 999");
}

TEST(Error, FailuresAreNamedAsInTheDesign) {
    EXPECT_EQ(make_error_condition(failure::reject).message(), "reject");
    EXPECT_EQ(make_error_condition(failure::retry).message(), "retry");
    EXPECT_EQ(make_error_condition(failure::park).message(), "park");
}

}  // namespace
}  // namespace sluice
