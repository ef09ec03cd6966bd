#include "consumer/store/driver/connection.hpp"

#include <array>
#include <random>

#include "tests/unit/consumer/store/server/fixture.hpp"

namespace sluice::store {
namespace {

using namespace std::chrono_literals;

using ConnectionTest = ServerTest;

TEST_F(ConnectionTest, IsSetUpAsPromised) {
    const auto connection = open();
    EXPECT_EQ(text(*connection, "SELECT @@session.transaction_isolation"), "READ-COMMITTED");
    EXPECT_TRUE(text(*connection, "SELECT @@session.sql_mode").contains("STRICT_TRANS_TABLES"));
    EXPECT_EQ(text(*connection, "SELECT @@session.time_zone"), "+00:00");
    EXPECT_EQ(text(*connection, "SELECT @@session.character_set_client"), "utf8mb4");
    EXPECT_EQ(number(*connection, "SELECT @@session.wait_timeout"), 30);
    EXPECT_EQ(number(*connection, "SELECT @@session.innodb_lock_wait_timeout"), 5);
    EXPECT_EQ(number(*connection, "SELECT @@session.lock_wait_timeout"), 5);
    EXPECT_EQ(number(*connection, "SELECT @@session.autocommit"), 1);
    EXPECT_EQ(text(*connection, "SELECT VERSION()").contains("MariaDB"), connection->is_mariadb());
}

TEST_F(ConnectionTest, LimitsWhatMariaDbCanLimit) {
    const auto connection = open({.statement = std::chrono::seconds{9}});
    if (!connection->is_mariadb()) return;
    EXPECT_EQ(number(*connection, "SELECT CAST(@@session.max_statement_time AS SIGNED)"), 9);
    EXPECT_EQ(number(*connection, "SELECT @@session.idle_transaction_timeout"), 20);
}

TEST_F(ConnectionTest, IsStrictWhateverTheServerIs) {
    const auto connection = open();
    const auto before = text(*connection, "SELECT @@global.sql_mode");
    run(*connection, "SET GLOBAL sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES'");
    const auto mode = text(*open(), "SELECT @@session.sql_mode");
    run(*connection, "SET GLOBAL sql_mode = '" + before + "'");
    EXPECT_TRUE(mode.contains("STRICT_TRANS_TABLES")) << mode;
    EXPECT_FALSE(mode.contains("ANSI_QUOTES")) << mode;
    EXPECT_FALSE(mode.contains("NO_BACKSLASH_ESCAPES")) << mode;
}

TEST_F(ConnectionTest, RefusesWhatDoesNotFitInStrictMode) {
    const auto connection = open();
    run(*connection, "CREATE TABLE t (a TINYINT NOT NULL)");
    const std::array<Datum, 1> parameters{std::int64_t{1000}};
    const auto done = connection->execute("INSERT INTO t VALUES (?)", parameters);
    ASSERT_FALSE(done);
    EXPECT_EQ(code_of(done), 1264);
}

TEST_F(ConnectionTest, CarriesEveryKindOfValueThereAndBack) {
    const auto connection = open();
    run(*connection,
        "CREATE TABLE t (id INT PRIMARY KEY, a BIGINT, b DOUBLE, c VARCHAR(20), d VARBINARY(300), e DATE,"
        " f DATETIME(6), g DECIMAL(20, 2)) CHARACTER SET utf8mb4");
    std::string every_byte;
    for (int byte = 0; byte < 256; ++byte) every_byte.push_back(static_cast<char>(byte));
    constexpr std::chrono::sys_days day = 2026y / 11 / 21;
    constexpr WallTime time = day + 19h + 3min + 22s + 123456us;
    const std::array<Datum, 6> parameters{
        std::numeric_limits<std::int64_t>::min(), 0.5, "Grüße €", Bytes{every_byte}, day, time};
    ASSERT_TRUE(connection->execute("INSERT INTO t VALUES (1, ?, ?, ?, ?, ?, ?, 12.34)", parameters));
    const auto rows = connection->query("SELECT a, b, c, d, e, f, g FROM t", {});
    ASSERT_TRUE(rows);
    const Row expected{std::numeric_limits<std::int64_t>::min(),
                       0.5,
                       std::string{"Grüße €"},
                       every_byte,
                       WallTime{day},
                       time,
                       std::string{"12.34"}};
    EXPECT_EQ(rows->at(0), expected);
}

TEST_F(ConnectionTest, CarriesNull) {
    const auto connection = open();
    run(*connection, "CREATE TABLE t (a BIGINT, b VARBINARY(10), c DATETIME(6))");
    const std::array<Datum, 3> parameters{nullptr, nullptr, nullptr};
    ASSERT_TRUE(connection->execute("INSERT INTO t VALUES (?, ?, ?)", parameters));
    const auto rows = connection->query("SELECT a, b, c FROM t", {});
    ASSERT_TRUE(rows);
    EXPECT_EQ(rows->at(0), (Row{nullptr, nullptr, nullptr}));
}

TEST_F(ConnectionTest, TakesAViewOfNothingForEmptyAndNotForNull) {
    const auto connection = open();
    run(*connection, "CREATE TABLE t (a VARBINARY(10) NOT NULL, b VARCHAR(10) NOT NULL)");
    const std::array<Datum, 2> parameters{Bytes{}, std::string_view{}};
    ASSERT_TRUE(connection->execute("INSERT INTO t VALUES (?, ?)", parameters))
        << connection->last_error().message;
    EXPECT_EQ(connection->query("SELECT a, b FROM t", {})->at(0), (Row{"", ""}));
}

TEST_F(ConnectionTest, CarriesLargeAndEmptyValues) {
    const auto connection = open();
    run(*connection, "CREATE TABLE t (id INT PRIMARY KEY, a MEDIUMBLOB NOT NULL)");
    const std::string large(3 << 20, '\xfe');
    const std::array<Datum, 2> parameters{Bytes{large}, Bytes{""}};
    ASSERT_TRUE(connection->execute("INSERT INTO t VALUES (1, ?), (2, ?)", parameters));
    const auto rows = connection->query("SELECT a FROM t ORDER BY id", {});
    ASSERT_TRUE(rows);
    EXPECT_EQ(std::get<std::string>(rows->at(0).at(0)), large);
    EXPECT_EQ(std::get<std::string>(rows->at(1).at(0)), "");
}

TEST_F(ConnectionTest, ComparesTextByTheColumnsCollationAndBytesByByte) {
    const auto connection = open();
    run(*connection,
        "CREATE TABLE t (a VARCHAR(20) COLLATE utf8mb4_general_ci, b VARBINARY(20))"
        " CHARACTER SET utf8mb4");
    run(*connection, "INSERT INTO t VALUES ('Cus', 'Cus')");
    const std::array<Datum, 1> as_text{"cus"};
    const std::array<Datum, 1> as_bytes{Bytes{"cus"}};
    EXPECT_EQ(connection->query("SELECT 1 FROM t WHERE a = ?", as_text)->size(), 1U);
    EXPECT_EQ(connection->query("SELECT 1 FROM t WHERE b = ?", as_text)->size(), 0U);
    EXPECT_EQ(connection->query("SELECT 1 FROM t WHERE b = ?", as_bytes)->size(), 0U);
    EXPECT_EQ(connection->query("SELECT 1 FROM t WHERE a = ?", as_bytes)->size(), 1U) << "the column decides";
    EXPECT_EQ(connection->query("SELECT 1 FROM t WHERE CAST(a AS BINARY) = ?", as_bytes)->size(), 0U);
    // Without a column the servers go by the session.
    EXPECT_EQ(connection->query("SELECT CONCAT(? = 'CUS')", as_text)->at(0), Row{"1"});
    EXPECT_EQ(connection->query("SELECT CONCAT(CAST(? AS BINARY) = 'CUS')", as_bytes)->at(0), Row{"0"});
}

TEST_F(ConnectionTest, FindsAnyBytesAgain) {
    const auto connection = open();
    run(*connection, "CREATE TABLE t (k VARBINARY(32), f BINARY(16), body BLOB, PRIMARY KEY (k, f))");
    std::mt19937 random{7};
    const auto bytes = [&](std::size_t count) {
        std::string out;
        while (out.size() < count) out.push_back(static_cast<char>(random()));
        return out;
    };
    for (int i = 0; i < 300; ++i) {
        const auto key = bytes(32);
        const auto fixed = bytes(16);
        const auto body = bytes(2000);
        const std::array<Datum, 3> row{Bytes{key}, Bytes{fixed}, Bytes{body}};
        ASSERT_EQ(connection->execute("INSERT INTO t VALUES (?, ?, ?)", row), 1);
        const auto found =
            connection->query("SELECT body FROM t WHERE k = ? AND f IN (?)", std::span{row}.first(2));
        ASSERT_EQ(found->at(0), Row{body});
    }
}

TEST_F(ConnectionTest, ReadsEveryKindOfColumn) {
    const auto connection = open();
    run(*connection,
        "CREATE TABLE t (a BIGINT UNSIGNED, b INT UNSIGNED, c TINYINT, d FLOAT, e DOUBLE, f YEAR, g TEXT,"
        " h ENUM('x', 'y'), i TIMESTAMP(6) NULL, j DECIMAL(60, 30), k BINARY(4), l TIME)"
        " CHARACTER SET utf8mb4");
    run(*connection,
        "INSERT INTO t VALUES (18446744073709551615, 4294967295, -128, 0.25, 0.1, 2026, 'Grüße', 'y',"
        " '2026-11-21 00:00:00.000001', -0.000000000000000000000000000001, 'a', '10:11:12')");
    const auto rows = connection->query("SELECT t.*, NULL, CAST(5 AS UNSIGNED) FROM t", {});
    ASSERT_TRUE(rows) << connection->last_error().message;
    const Row expected{std::string{"18446744073709551615"},
                       std::int64_t{4'294'967'295},
                       std::int64_t{-128},
                       0.25,
                       0.1,
                       std::int64_t{2026},
                       std::string{"Grüße"},
                       std::string{"y"},
                       WallTime{std::chrono::sys_days{2026y / 11 / 21}} + 1us,
                       std::string{"-0.000000000000000000000000000001"},
                       std::string{"a\0\0\0", 4},
                       std::string{"10:11:12"},
                       nullptr,
                       std::int64_t{5}};
    EXPECT_EQ(rows->at(0), expected);
}

TEST_F(ConnectionTest, RefusesColumnsThatItCannotRead) {
    const auto connection = open();
    run(*connection, "CREATE TABLE t (a DECIMAL(65, 30), b JSON, c INT)");
    run(*connection, "INSERT INTO t VALUES (REPEAT('9', 35), '{}', 1)");
    constexpr int unsupported_type = 2036;
    EXPECT_EQ(code_of(connection->query("SELECT a FROM t", {})), unsupported_type);
    const auto json = connection->query("SELECT b FROM t", {});  // a text in MariaDB
    EXPECT_EQ(code_of(json), connection->is_mariadb() ? 0 : unsupported_type);
    EXPECT_EQ(number(*connection, "SELECT c FROM t"), 1) << "nothing else is lost";
}

TEST_F(ConnectionTest, WritesTimesWithAFractionWhereTheyHaveOne) {
    const auto connection = open();
    run(*connection, "CREATE TABLE t (a VARCHAR(40), b DATETIME(6))");
    constexpr WallTime time = std::chrono::sys_days{2026y / 11 / 21} + 19h + 3min + 22s;
    const std::array<Datum, 4> parameters{time, time, time + 4us, time + 4us};
    ASSERT_TRUE(connection->execute("INSERT INTO t VALUES (?, ?), (?, ?)", parameters));
    const auto rows = connection->query("SELECT a, b FROM t ORDER BY b", {});
    EXPECT_EQ(rows->at(0), (Row{std::string{"2026-11-21 19:03:22"}, time}));
    EXPECT_EQ(rows->at(1), (Row{std::string{"2026-11-21 19:03:22.000004"}, time + 4us}));
}

TEST_F(ConnectionTest, CountsRowsMatchedNotRowsChanged) {
    const auto connection = open();
    run(*connection, "CREATE TABLE wallet (customer INT PRIMARY KEY, balance BIGINT NOT NULL)");
    run(*connection, "INSERT INTO wallet VALUES (1, 10)");
    const std::array<Datum, 2> nothing{std::int64_t{0}, std::int64_t{1}};
    const std::array<Datum, 2> nobody{std::int64_t{5}, std::int64_t{2}};
    constexpr auto update = "UPDATE wallet SET balance = balance + ? WHERE customer = ?";
    EXPECT_EQ(connection->execute(update, nothing), 1);
    EXPECT_EQ(connection->execute(update, nobody), 0);
    EXPECT_EQ(connection->run("UPDATE wallet SET balance = balance"), 1);
}

TEST_F(ConnectionTest, PreparesAStatementOnce) {
    const auto connection = open();
    const auto prepared = [&] {
        const auto rows = connection->query("SHOW SESSION STATUS LIKE 'Com_stmt_prepare'", {});
        return std::stoll(std::get<std::string>(rows->at(0).at(1)));
    };
    static_cast<void>(prepared());
    const auto before = prepared();
    for (int i = 0; i < 5; ++i) ASSERT_TRUE(connection->query("SELECT 1 + 1", {}));
    EXPECT_EQ(prepared(), before + 1);
}

TEST_F(ConnectionTest, KeepsAtMost256StatementsAndTheLatestOnes) {
    const auto connection = open();
    const auto kept = [&] {
        const auto rows = connection->query("SHOW GLOBAL STATUS LIKE 'Prepared_stmt_count'", {});
        return std::stoll(std::get<std::string>(rows->at(0).at(1)));
    };
    const auto before = kept();
    for (int i = 0; i < 600; ++i) ASSERT_EQ(number(*connection, "SELECT " + std::to_string(i)), i);
    EXPECT_LE(kept() - before, 256);
    EXPECT_GE(kept() - before, 250);
    EXPECT_EQ(number(*connection, "SELECT 0"), 0);
    EXPECT_EQ(number(*connection, "SELECT 599"), 599);
}

TEST_F(ConnectionTest, TakesRowsThatAChangeReturns) {
    const auto connection = open();
    if (!connection->is_mariadb()) return;  // RETURNING is MariaDB's
    run(*connection, "CREATE TABLE t (a INT)");
    EXPECT_EQ(connection->execute("INSERT INTO t VALUES (1), (2) RETURNING a", {}), 2);
    EXPECT_EQ(number(*connection, "SELECT COUNT(*) FROM t"), 2);
}

TEST_F(ConnectionTest, ChecksAStatementWithoutRunningIt) {
    const auto connection = open();
    run(*connection, "CREATE TABLE t (a INT)");
    EXPECT_EQ(connection->check("INSERT INTO t VALUES (?)"), 1U);
    EXPECT_EQ(number(*connection, "SELECT COUNT(*) FROM t"), 0);
    EXPECT_EQ(class_of_failure(connection->check("INSERT INTO u VALUES (?)")), ErrorClass::schema);
    EXPECT_EQ(class_of_failure(connection->check("INSERT INTO t (b) VALUES (?)")), ErrorClass::schema);
    EXPECT_EQ(code_of(connection->check("INSERT INTO t VALUES (?")), 1064);
    EXPECT_TRUE(connection->alive());
}

TEST_F(ConnectionTest, RunsNoTwoStatementsAtOnce) {
    const auto connection = open();
    EXPECT_EQ(code_of(connection->run("SELECT 1; SELECT 2")), 1064);
}

TEST_F(ConnectionTest, NeverSendsALocalFile) {
    const auto connection = open();
    run(*connection, "CREATE TABLE t (a VARBINARY(100))");
    run(*connection, "SET GLOBAL local_infile = ON");
    const auto fresh = open();
    EXPECT_FALSE(fresh->run("LOAD DATA LOCAL INFILE '/etc/hostname' INTO TABLE t"));
    const auto look = open();
    EXPECT_EQ(number(*look, "SELECT COUNT(*) FROM t"), 0);
}

TEST_F(ConnectionTest, SaysWhatTheServerSaidOfARefusedConnection) {
    auto wrong = settings();
    wrong.password = config::Credential{"wrong"};
    ServerError error;
    const auto connection = Connection::open(wrong, &error);
    ASSERT_FALSE(connection);
    EXPECT_EQ(class_of_failure(connection), ErrorClass::unavailable);
    EXPECT_EQ(code_of(connection), 1045);
    EXPECT_TRUE(error.message.contains("Access denied")) << error.message;
}

TEST_F(ConnectionTest, TellsAnUnknownDatabaseFromAnUnreachableServer) {
    auto wrong = settings();
    wrong.database = "nobody_has_this";
    EXPECT_EQ(class_of_failure(Connection::open(wrong)), ErrorClass::schema);
    wrong = settings();
    wrong.port = 1;
    EXPECT_EQ(class_of_failure(Connection::open(wrong)), ErrorClass::connection);
    wrong = settings();
    wrong.host = "no.such.host.invalid";
    EXPECT_EQ(class_of_failure(Connection::open(wrong)), ErrorClass::connection);
}

TEST_F(ConnectionTest, RefusesAServerItCannotVerify) {
    auto wrong = settings();
    wrong.tls.enabled = true;
    for (const auto* roots : {"", "/etc/ssl/certs/ca-certificates.crt"}) {  // neither signed the test server
        wrong.tls.ca_file = roots;
        ServerError error;
        const auto connection = Connection::open(wrong, &error);
        ASSERT_FALSE(connection) << roots;
        EXPECT_EQ(code_of(connection), 2026) << error.message;
        EXPECT_EQ(class_of_failure(connection), ErrorClass::connection);
    }
}

TEST_F(ConnectionTest, AsksForNoTlsWhereNoneIsConfigured) {
    const auto connection = open();
    const auto cipher = connection->query("SHOW SESSION STATUS LIKE 'Ssl_cipher'", {});
    ASSERT_TRUE(cipher);
    EXPECT_EQ(std::get<std::string>(cipher->at(0).at(1)), "");
}

}  // namespace
}  // namespace sluice::store
