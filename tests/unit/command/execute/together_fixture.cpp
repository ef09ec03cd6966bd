#include "tests/unit/command/execute/together_fixture.hpp"

#include <algorithm>
#include <deque>

namespace sluice::command {
namespace {

constexpr const char* money = R"(commands:
  - name: charge
    parameters: {account: {at: /account}, amount: {at: /amount, type: integer, least: 1, most: 1000}, click: {at: /click}}
    effect:
      add: {table: account, key: {name: ":account"}, column: balance, by: "-:amount", floor: 0, below: {park: short}, missing: {park: stranger}}
      insert: {table: click, row: {click: ":click", account: ":account"}, duplicate: {park: charged_before}}
    answers: &answers
      done: {body: {charged: ":amount"}}
      short: {status: 409, body: {error: short, amount: ":amount"}}
      stranger: {status: 404, body: {error: unknown}}
      charged_before: {status: 409, body: {error: charged_before}}
  - name: click-first
    parameters: {account: {at: /account}, amount: {at: /amount, type: integer, least: 1, most: 1000}, click: {at: /click}}
    effect:
      insert: {table: click, row: {click: ":click", account: ":account"}, duplicate: {park: charged_before}}
      add: {table: account, key: {name: ":account"}, column: balance, by: "-:amount", floor: 0, below: {park: short}, missing: {park: stranger}}
    answers: *answers
  - name: deposit
    parameters: {account: {at: /account}, amount: {at: /amount, type: integer, least: 1, most: 1000}}
    effect: {add: {table: account, key: {name: ":account"}, column: balance, by: ":amount", missing: ignore}}
    answers: {done: {body: {paid: ":amount"}}, ignored: {body: {paid: 0}}}
  - name: note
    parameters: {click: {at: /click}}
    effect: {insert: {table: note, row: {word: ":click"}, duplicate: ignore}}
    answers: {done: {body: {noted: true}}, ignored: {body: {noted: false}}}
  - name: move
    parameters: {account: {at: /account}, to: {at: /to}, amount: {at: /amount, type: integer, least: 1, most: 1000}}
    effect:
      add: {table: account, key: {name: ":account"}, column: balance, by: "-:amount", floor: 0, below: {park: short}}
      set: {table: account, key: {name: ":to"}, row: {word: ":account"}, missing: {park: stranger}}
    answers:
      done: {body: {moved: ":amount"}}
      short: {status: 409, body: {error: short}}
      stranger: {status: 404, body: {error: unknown}}
)";

}  // namespace

void TogetherTest::SetUp() {
    ServerTest::SetUp();
    connection = open_migrated();
    run(*connection,
        "CREATE TABLE account (name VARCHAR(8) COLLATE utf8mb4_bin PRIMARY KEY, balance BIGINT NOT NULL, "
        "word "
        "VARCHAR(8) NOT NULL DEFAULT '') ENGINE = InnoDB");
    run(*connection,
        "CREATE TABLE click (click VARCHAR(8) COLLATE utf8mb4_bin PRIMARY KEY, account VARCHAR(64)) ENGINE = "
        "InnoDB");
    run(*connection, "CREATE TABLE note (word VARCHAR(8) COLLATE utf8mb4_bin PRIMARY KEY) ENGINE = InnoDB");
    read();
    begin_anew();
}

void TogetherTest::read() {
    auto [commands, report] = read_commands(money);
    ASSERT_EQ(report, "");
    set = std::move(commands);
    shared.emplace(set);
    connection = open();
    watch.emplace(mysql = settings(), clock, log);
    connection->be_watched(*watch);
}

void TogetherTest::begin_anew() {
    for (const auto* table : {"command_key", "account", "click", "note"})
        run(*connection, std::string{"DELETE FROM "} + table);
    run(*connection, "INSERT INTO account (name, balance) VALUES ('a', 10), ('b', 10), ('c', 10)");
}

Request TogetherTest::request(const std::string& name, const std::string& key, std::string body) const {
    std::ranges::replace(body, '\'', '"');
    body = "{" + body + "}";
    return {.key = {.command = name, .caller = "ads", .key = key},
            .fingerprint = crypto::sha256(body),
            .body = body,
            .received_at = clock.steady(),
            .answer_by = clock.steady() + std::chrono::seconds{20}};
}

TogetherTest::All TogetherTest::together(const std::vector<Request>& requests, Milliseconds time) {
    std::deque<PreparedCommand> prepared;
    std::vector<const PreparedCommand*> commands;
    for (const Request& one : requests) {
        auto& command = prepared.emplace_back(*set.find(one.key.command), one, clock.wall());
        EXPECT_EQ(command.read(), std::nullopt);
        commands.push_back(&command);
    }
    return shared->attempt(commands, *connection, clock.steady(), time);
}

Attempted TogetherTest::alone(const Request& request) {
    PreparedCommand command{*set.find(request.key.command), request, clock.wall()};
    EXPECT_EQ(command.read(), std::nullopt);
    return attempt(command, *connection, std::chrono::seconds{5});
}

std::vector<Answer> TogetherTest::answers(const std::vector<Request>& requests) {
    auto all = together(requests);
    std::vector<Answer> told;
    for (std::size_t i = 0; i < requests.size(); ++i)
        told.push_back(all[i] ? all[i]->answer : alone(requests[i]).answer);
    return told;
}

std::string TogetherTest::tables() {
    std::string all;
    for (const auto* select :
         {"SELECT CONCAT_WS(' ', name, balance, word) FROM account ORDER BY 1",
          "SELECT CONCAT_WS(' ', click, account) FROM click ORDER BY 1", "SELECT word FROM note ORDER BY 1",
          "SELECT CONCAT_WS(' ', HEX(key_digest), HEX(fingerprint), command, caller, caller_key, status, "
          "content_type, CONVERT(response USING utf8mb4), TIMESTAMPDIFF(SECOND, begun_at, keep_until)) FROM "
          "command_key ORDER BY 1"}) {
        const auto rows = connection->query(select, {});
        EXPECT_TRUE(rows) << connection->last_error().message;
        for (const auto& row : rows.value_or(std::vector<store::Row>{}))
            all += std::get<std::string>(row.at(0)) + "\n";
    }
    return all;
}

std::int64_t TogetherTest::balance(const std::string& account) {
    return number(*connection, "SELECT balance FROM account WHERE name = '" + account + "'");
}

}  // namespace sluice::command
