#include <gtest/gtest.h>

#include "common/config/settings/connections.hpp"
#include "tests/unit/common/config/reading.hpp"

namespace sluice::config {
namespace {

struct MysqlRead {
    MysqlSettings settings;
    std::string report;
};

MysqlRead read_text_of_mysql(const std::string& mysql) {
    Reading reading{"mysql: {" + mysql + "}\n"};
    auto settings = read_mysql(reading.document(), reading.problems());
    return {std::move(settings), reading.report()};
}

TEST(MysqlSettings, ReadsItsKeys) {
    const TestFile password{"mysql-password", "secret\n"};
    const auto [settings, report] = read_text_of_mysql(
        "host: db, port: 3307, database: payments, user: sluice, password: {file: " + password.path() + "}");
    EXPECT_EQ(report, "");
    EXPECT_EQ(settings.host, "db");
    EXPECT_EQ(settings.port, 3307);
    EXPECT_EQ(settings.database, "payments");
    EXPECT_EQ(settings.user.now().bytes(), "sluice");
    EXPECT_EQ(settings.password.now().bytes(), "secret");
    EXPECT_FALSE(settings.tls.enabled);
}

TEST(MysqlSettings, PortHasADefault) {
    EXPECT_EQ(read_text_of_mysql("host: db, database: d, user: u").settings.port, 3306);
}

TEST(MysqlSettings, HostDatabaseAndUserMustBeGiven) {
    Reading reading{"kafka: {}\n"};
    static_cast<void>(read_mysql(reading.document(), reading.problems()));
    EXPECT_EQ(reading.report(),
              "test.yaml: mysql.host must be given\n"
              "test.yaml: mysql.database must be given\n"
              "test.yaml: mysql.user must be given");
}

TEST(MysqlSettings, HostHasNoPort) {
    EXPECT_NE(read_text_of_mysql("host: \"db:3306\", database: d, user: u").report, "");
    EXPECT_NE(read_text_of_mysql("host: \"d b\", database: d, user: u").report, "");
    EXPECT_EQ(read_text_of_mysql("host: \"::1\", database: d, user: u").report, "");
    EXPECT_EQ(read_text_of_mysql("host: 127.0.0.1, database: d, user: u").report, "");
}

TEST(MysqlSettings, PlainPasswordIsRefused) {
    const auto report = read_text_of_mysql("host: db, database: d, user: u, password: hunter2").report;
    EXPECT_NE(report.find("mysql.password must be {file: PATH}"), std::string::npos);
    EXPECT_EQ(report.find("hunter2"), std::string::npos);
}

}  // namespace
}  // namespace sluice::config
