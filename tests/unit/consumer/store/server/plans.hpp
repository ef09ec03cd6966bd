#pragma once

#include <functional>
#include <memory>
#include <string>

#include "tests/unit/consumer/store/server/fixture.hpp"

namespace sluice::store {

/// For tests that fill tables and count what the server reads for a statement.
class PlansTest : public ServerTest {
protected:
    void SetUp() override {
        ServerTest::SetUp();
        connection = open_migrated();
        run(*connection, "CREATE TABLE digit (d INT PRIMARY KEY)");
        run(*connection, "INSERT INTO digit VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)");
    }

    /// Ends a SELECT that gives rows `n`, from 0: of servers whose recursion ends at 1000.
    static constexpr auto* thousand =
        " FROM (SELECT a.d + 10 * b.d + 100 * c.d AS n FROM digit a, digit b, digit c) AS numbers";
    static constexpr auto* ten_thousand =
        " FROM (SELECT a.d + 10 * b.d + 100 * c.d + 1000 * e.d AS n FROM digit a, digit b, digit c, digit e)"
        " AS numbers";

    /// Index entries and rows that the server read for `what`.
    std::int64_t reads_of(const std::function<bool()>& what) {
        EXPECT_TRUE(what());  // prepared, and the tables open
        static_cast<void>(reads());
        const auto before = reads();
        const auto own = reads() - before;
        const auto first = reads();
        EXPECT_TRUE(what());
        return reads() - first - own;
    }

    std::unique_ptr<Connection> connection;

private:
    std::int64_t reads() {
        std::int64_t sum = 0;
        const auto rows = connection->query("SHOW SESSION STATUS LIKE 'Handler_read%'", {});
        for (const auto& row : *rows) sum += std::stoll(std::get<std::string>(row.at(1)));
        return sum;
    }
};

}  // namespace sluice::store
