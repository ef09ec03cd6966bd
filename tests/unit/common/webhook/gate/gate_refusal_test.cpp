#include "common/webhook/gate/gate_refusal.hpp"

#include <gtest/gtest.h>

#include <set>

namespace sluice::gate {
namespace {

TEST(Refusal, HasOneStatusAndANameOfItsOwn) {
    std::set<std::string_view> names;
    for (const RefusalRow& row : all_refusals()) {
        EXPECT_TRUE(row.status >= 400 && row.status <= 505) << row.name;
        EXPECT_TRUE(names.insert(row.name).second) << row.name;
        EXPECT_EQ(&row_of(row.refusal), &row);
    }
}

TEST(Refusal, AnswerIsWholeAndCloses) {
    for (const RefusalRow& row : all_refusals()) {
        const std::string_view answer = response_of(row.refusal);
        EXPECT_TRUE(answer.starts_with("HTTP/1.1 " + std::to_string(row.status) + " ")) << answer;
        EXPECT_TRUE(answer.contains("\r\nConnection: close\r\n")) << answer;
        EXPECT_TRUE(answer.contains("\r\nContent-Length: 0\r\n")) << answer;
        EXPECT_TRUE(answer.ends_with("\r\n\r\n")) << answer;
    }
}

TEST(Refusal, WrongMethodIsToldTheRightOne) {
    EXPECT_TRUE(response_of(Refusal::method_not_allowed).contains("\r\nAllow: POST\r\n"));
}

}  // namespace
}  // namespace sluice::gate
