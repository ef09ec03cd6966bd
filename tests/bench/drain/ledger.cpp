#include "tests/bench/drain/ledger.hpp"

#include <algorithm>
#include <array>
#include <format>
#include <iterator>
#include <map>
#include <stdexcept>

namespace sluice::bench {
namespace {

constexpr std::string_view inbox_head =
    "INSERT INTO inbox (event_day, dedup_key, content_digest, source, event_id, type, object_key, status, "
    "topic, "
    "partition_no, offset_no, received_at, finished_at) VALUES ";
constexpr std::uint64_t any_rows = ~std::uint64_t{0};

MYSQL_BIND bound(std::string_view text) {
    MYSQL_BIND bind{};
    bind.buffer_type = MYSQL_TYPE_STRING;
    bind.buffer = const_cast<char*>(text.data());
    bind.buffer_length = text.size();
    return bind;
}

MYSQL_BIND bound(const std::int64_t& number) {
    MYSQL_BIND bind{};
    bind.buffer_type = MYSQL_TYPE_LONGLONG;
    bind.buffer = const_cast<std::int64_t*>(&number);
    return bind;
}

std::string_view view(const std::array<char, 32>& bytes) {
    return {bytes.data(), bytes.size()};
}

}  // namespace

Ledger::Ledger(const Database& database, Form form)
    : database_{database}, form_{form}, session_{mysql_init(nullptr)} {
    const unsigned int tcp = MYSQL_PROTOCOL_TCP;
    mysql_options(session_.get(), MYSQL_OPT_PROTOCOL, &tcp);
    const my_bool verify = 0;
    mysql_options(session_.get(), MYSQL_OPT_SSL_VERIFY_SERVER_CERT, &verify);
    mysql_options(session_.get(), MYSQL_SET_CHARSET_NAME, "utf8mb4");
    if (mysql_real_connect(session_.get(), "127.0.0.1", database.user.c_str(), database.password.c_str(),
                           database.name.c_str(), database.port, nullptr, CLIENT_FOUND_ROWS) == nullptr)
        fail_of_session();
    run("SET SESSION time_zone = '+00:00', autocommit = 1", any_rows);
    run("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED", any_rows);
    wallet_ = prepare("UPDATE wallet SET balance = balance + ? WHERE customer = ?");
    entry_ = prepare("INSERT INTO wallet_entry (event, customer, amount) VALUES (?, ?, ?)");
    if (form != Form::decided) return;
    look_ = prepare("SELECT balance FROM wallet WHERE customer = ? FOR UPDATE");
    mark_ = prepare("UPDATE wallet SET last_event = ?, last_amount = ? WHERE customer = ?");
}

Ledger::~Ledger() = default;

void Ledger::apply(std::span<const Event> events) {
    if (form_ == Form::single) {
        for (std::size_t i = 0; i < events.size(); ++i) apply_prepared(events.subspan(i, 1));
    } else if (form_ == Form::prepared) {
        apply_prepared(events);
    } else if (form_ == Form::upserts) {
        apply_upserts(events);
    } else if (form_ == Form::decided) {
        apply_decided(events);
    } else {
        apply_batch(events);
    }
}

void Ledger::apply_batch(std::span<const Event> events) {
    run("START TRANSACTION", any_rows);
    insert_inbox(events);
    std::map<std::string_view, std::int64_t> sums;  // sorted: rows are locked in one order by everybody
    text_ = "INSERT INTO wallet_entry (event, customer, amount) VALUES ";
    for (const Event& event : events) {
        text_ += "(";
        quote(event.id);
        text_ += ",";
        quote(event.customer);
        std::format_to(std::back_inserter(text_), ",{}),", event.amount);
        sums[event.customer] += event.amount;
    }
    text_.pop_back();
    run(text_, events.size());
    text_ = "INSERT INTO wallet (customer, balance) VALUES ";
    for (const auto& [customer, sum] : sums) {
        text_ += "(";
        quote(customer);
        std::format_to(std::back_inserter(text_), ",{}),", sum);
    }
    text_.pop_back();
    text_ += " ON DUPLICATE KEY UPDATE balance = balance + VALUES(balance)";
    run(text_, any_rows);
    run("COMMIT", any_rows);
}

void Ledger::apply_prepared(std::span<const Event> events) {
    run("START TRANSACTION", any_rows);
    insert_inbox(events);
    std::vector<const Event*> sorted;
    for (const Event& event : events) sorted.push_back(&event);
    std::ranges::stable_sort(sorted, {}, &Event::customer);
    for (const Event* event : sorted) {
        run_wallet(*event);
        run_entry(*event);
    }
    run("COMMIT", any_rows);
}

/// No row is compared: the last one of a batch is written.
void Ledger::apply_upserts(std::span<const Event> events) {
    run("START TRANSACTION", any_rows);
    insert_inbox(events);
    std::map<std::string_view, const Event*> last;
    for (const Event& event : events) last[event.customer] = &event;
    text_ = "INSERT INTO newest (id, amount, data, came_at, by_event) VALUES ";
    for (const auto& [customer, event] : last) {
        text_ += "(";
        quote(customer);
        std::format_to(std::back_inserter(text_), ",{},", event->amount);
        quote(event->object);
        std::format_to(std::back_inserter(text_), ",'{}',",
                       event->received_at.substr(0, event->received_at.size() - 1));
        quote(event->id);
        text_ += "),";
    }
    text_.pop_back();
    text_ +=
        " ON DUPLICATE KEY UPDATE amount = VALUES(amount), data = VALUES(data), came_at = VALUES(came_at), "
        "by_event = VALUES(by_event)";
    run(text_, any_rows);
    run("COMMIT", any_rows);
}

void Ledger::apply_decided(std::span<const Event> events) {
    run("START TRANSACTION", any_rows);
    insert_inbox(events);
    for (const Event& event : events) {
        look_at_wallet(event);
        mark_wallet(event);
    }
    run("COMMIT", any_rows);
}

void Ledger::insert_inbox(std::span<const Event> events) {
    text_ = inbox_head;
    for (const Event& event : events) {
        text_ += "('";
        text_ += event.day == "undated" ? std::string_view{"1970-01-01"} : event.day;
        text_ += "',";
        for (const std::string_view bytes : {view(event.dedup_key), view(event.digest), event.source,
                                             event.id, event.type, event.object_key}) {
            quote(bytes);
            text_ += ",";
        }
        std::format_to(std::back_inserter(text_), "'done','bench',{},{},'{}',UTC_TIMESTAMP(6)),",
                       event.partition, event.offset,
                       event.received_at.substr(0, event.received_at.size() - 1));
    }
    text_.pop_back();
    run(text_, events.size());
    if (database_.payload) insert_payload(events);
}

void Ledger::insert_payload(std::span<const Event> events) {
    text_ = "INSERT INTO event_payload (event_day, dedup_key, headers, body) VALUES ";
    for (const Event& event : events) {
        text_ += "('";
        text_ += event.day == "undated" ? std::string_view{"1970-01-01"} : event.day;
        text_ += "',";
        quote(view(event.dedup_key));
        text_ += ",'[]',";
        quote(event.body);
        text_ += "),";
    }
    text_.pop_back();
    run(text_, events.size());
}

void Ledger::run(std::string_view statement, std::uint64_t rows) {
    if (mysql_real_query(session_.get(), statement.data(), statement.size()) != 0) fail_of_session();
    if (rows != any_rows && mysql_affected_rows(session_.get()) != rows)
        throw std::runtime_error{"a statement changed another number of rows"};
}

Ledger::Statement Ledger::prepare(std::string_view text) {
    Statement statement{mysql_stmt_init(session_.get())};
    if (mysql_stmt_prepare(statement.get(), text.data(), text.size()) != 0) fail_of_session();
    return statement;
}

void Ledger::run_wallet(const Event& event) {
    std::array<MYSQL_BIND, 2> binds{bound(event.amount), bound(event.customer)};
    execute(*wallet_, binds);
}

void Ledger::run_entry(const Event& event) {
    std::array<MYSQL_BIND, 3> binds{bound(event.id), bound(event.customer), bound(event.amount)};
    execute(*entry_, binds);
}

void Ledger::look_at_wallet(const Event& event) {
    std::array<MYSQL_BIND, 1> binds{bound(event.customer)};
    std::int64_t balance = 0;
    MYSQL_BIND found = bound(balance);
    MYSQL_STMT* statement = look_.get();
    if (mysql_stmt_bind_param(statement, binds.data()) != 0 || mysql_stmt_execute(statement) != 0 ||
        mysql_stmt_bind_result(statement, &found) != 0 || mysql_stmt_store_result(statement) != 0)
        throw std::runtime_error{mysql_stmt_error(statement)};
    if (mysql_stmt_fetch(statement) != 0 || balance < 0) throw std::runtime_error{"no such wallet"};
    mysql_stmt_free_result(statement);
}

void Ledger::mark_wallet(const Event& event) {
    std::array<MYSQL_BIND, 3> binds{bound(event.id), bound(event.amount), bound(event.customer)};
    execute(*mark_, binds);
}

void Ledger::execute(MYSQL_STMT& statement, std::span<MYSQL_BIND> binds) {
    if (mysql_stmt_bind_param(&statement, binds.data()) != 0 || mysql_stmt_execute(&statement) != 0)
        throw std::runtime_error{mysql_stmt_error(&statement)};
    if (mysql_stmt_affected_rows(&statement) != 1)
        throw std::runtime_error{"a statement did not change one row"};
}

void Ledger::quote(std::string_view bytes) {
    const std::size_t begin = text_.size() + 9;
    text_ += "_binary '";
    text_.resize(begin + 2 * bytes.size() + 1);
    const unsigned long written =
        mysql_real_escape_string(session_.get(), text_.data() + begin, bytes.data(), bytes.size());
    text_.resize(begin + written);
    text_ += '\'';
}

void Ledger::fail_of_session() {
    throw std::runtime_error{mysql_error(session_.get())};
}

}  // namespace sluice::bench
