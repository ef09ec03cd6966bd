#pragma once

#include <memory>

#include <mysql.h>

/// One owner per libmariadb type; the close and free calls appear nowhere else.
namespace sluice::store {

struct CloseSession {
    void operator()(MYSQL* session) const noexcept { mysql_close(session); }
};
struct CloseStatement {
    void operator()(MYSQL_STMT* statement) const noexcept { mysql_stmt_close(statement); }
};
struct FreeResult {
    void operator()(MYSQL_RES* result) const noexcept { mysql_free_result(result); }
};

using SessionHandle = std::unique_ptr<MYSQL, CloseSession>;
using StatementHandle = std::unique_ptr<MYSQL_STMT, CloseStatement>;
using ResultHandle = std::unique_ptr<MYSQL_RES, FreeResult>;

}  // namespace sluice::store
