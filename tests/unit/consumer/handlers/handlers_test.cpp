#include "consumer/handlers/handlers.hpp"

#include <gtest/gtest.h>

#include <set>

#include "consumer/effects/handler/declared_statement.hpp"

namespace sluice::handlers {
namespace {

TEST(Handlers, EachHasANameOfItsOwnAVersionAndAFunction) {
    std::set<std::string_view> names;
    for (const auto& handler : registered()) {
        EXPECT_TRUE(names.insert(handler.name).second) << handler.name << " stands there twice";
        EXPECT_FALSE(handler.name.empty());
        EXPECT_GE(handler.version, 1) << handler.name;
        EXPECT_NE(handler.handle, nullptr) << handler.name;
    }
}

TEST(Handlers, EachDeclaresStatementsThatAreAllowed) {
    for (const auto& handler : registered()) {
        for (const auto text : handler.statements) {
            const auto statement = effects::declared_statement(text);
            EXPECT_TRUE(statement) << handler.name << ": " << text << ": " << statement.error();
        }
    }
}

}  // namespace
}  // namespace sluice::handlers
