#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <mysql.h>

#include "tests/bench/drain/event.hpp"

namespace sluice::bench {

enum class Form {
    batch,     ///< multi-row statements, amounts added up by customer, one transaction per batch
    prepared,  ///< multi-row inbox, then two prepared statements per event, one transaction per batch
    single,    ///< one transaction per event, prepared statements
    upserts,   ///< multi-row upserts of each customer's newest payment, one transaction per batch
    decided,   ///< per event a prepared SELECT … FOR UPDATE and an UPDATE, one transaction per batch
};

struct Database {
    std::uint16_t port = 0;
    std::string name;
    std::string user;
    std::string password;
    bool payload = false;  ///< also the raw body into event_payload
};

/// One connection that applies events: inbox row, wallet_entry row, amount onto the wallet. One thread.
/// Any trouble, a duplicate too, is a std::runtime_error.
class Ledger {
public:
    Ledger(const Database& database, Form form);
    ~Ledger();
    Ledger(const Ledger&) = delete;

    void apply(std::span<const Event> events);

private:
    struct Close {
        void operator()(MYSQL* session) const noexcept { mysql_close(session); }
        void operator()(MYSQL_STMT* statement) const noexcept { mysql_stmt_close(statement); }
    };
    using Statement = std::unique_ptr<MYSQL_STMT, Close>;

    void apply_batch(std::span<const Event> events);
    void apply_prepared(std::span<const Event> events);
    void apply_upserts(std::span<const Event> events);
    void apply_decided(std::span<const Event> events);
    void insert_inbox(std::span<const Event> events);
    void insert_payload(std::span<const Event> events);
    void run(std::string_view statement, std::uint64_t rows);
    [[nodiscard]] Statement prepare(std::string_view text);
    void run_wallet(const Event& event);
    void run_entry(const Event& event);
    void look_at_wallet(const Event& event);
    void mark_wallet(const Event& event);
    void execute(MYSQL_STMT& statement, std::span<MYSQL_BIND> binds);
    void quote(std::string_view bytes);
    [[noreturn]] void fail_of_session();

    const Database& database_;
    Form form_;
    std::unique_ptr<MYSQL, Close> session_;
    Statement wallet_;
    Statement entry_;
    Statement look_;
    Statement mark_;
    std::string text_;
};

}  // namespace sluice::bench
