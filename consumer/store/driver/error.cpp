#include "consumer/store/driver/error.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace sluice::store {
namespace {

// Codes below 1000 are of files and memory, in the server as in the client ("Global Error Message Reference"
// of the MySQL manual): 3 when a write found the disk full. One entry stands for them all.
constexpr unsigned int own_file = 1;
constexpr unsigned int last_of_files = 999;
constexpr unsigned int signalled = 1644;

bool is_of_files(unsigned int code) noexcept {
    return code >= own_file && code <= last_of_files;
}

struct Entry {
    unsigned int code;
    ErrorClass error_class;
    const char* sentence;
};

constexpr Entry table[] = {
    {1213, ErrorClass::lost_lock, "deadlock, the server rolled the transaction back"},
    {1205, ErrorClass::lost_lock, "lock wait timed out"},
    {1020, ErrorClass::lost_lock, "a row changed since it was read"},
    {1317, ErrorClass::lost_lock, "the statement was interrupted"},
    {3024, ErrorClass::lost_lock, "the statement exceeded max_execution_time"},
    {1969, ErrorClass::lost_lock, "the statement exceeded max_statement_time"},
    {1412, ErrorClass::lost_lock, "the table's definition changed during the transaction"},
    {1615, ErrorClass::lost_lock, "the prepared statement is out of date"},
    {lock_held, ErrorClass::lost_lock, "another transaction holds the row"},
    {3101, ErrorClass::lost_lock, "group replication rolled the transaction back for a conflict"},

    {2002, ErrorClass::connection, "cannot connect to the server"},
    {2003, ErrorClass::connection, "cannot connect to the server"},
    {2006, ErrorClass::connection, "the server has gone away"},
    {2013, ErrorClass::connection, "connection lost during the statement"},
    {2014, ErrorClass::connection, "calls out of step with the session"},
    {2055, ErrorClass::connection, "connection lost"},
    {4031, ErrorClass::connection, "the server closed the session as idle"},
    {1053, ErrorClass::connection, "the server is shutting down"},
    {1927, ErrorClass::connection, "the session was killed"},
    {2005, ErrorClass::connection, "unknown host"},
    {2012, ErrorClass::connection, "the handshake broke off"},
    {2026, ErrorClass::connection, "no TLS session with the server"},
    {2027, ErrorClass::connection, "malformed packet"},
    {5013, ErrorClass::connection, "reading from the server failed"},
    {5014, ErrorClass::connection, "writing to the server failed"},
    {1042, ErrorClass::connection, "the server cannot resolve our address"},
    {1043, ErrorClass::connection, "bad handshake"},
    {1152, ErrorClass::connection, "the server aborted the session"},
    {1156, ErrorClass::connection, "packets out of order"},
    {1158, ErrorClass::connection, "the server could not read from us"},
    {1159, ErrorClass::connection, "the server waited too long for us"},
    {1160, ErrorClass::connection, "the server could not write to us"},
    {1161, ErrorClass::connection, "the server waited too long to write to us"},
    {1184, ErrorClass::connection, "the server aborted the session"},
    {3169, ErrorClass::connection, "the session was killed"},
    {1243, ErrorClass::connection, "the session's prepared statements are gone"},

    {statement_overdue_and_lost, ErrorClass::connection,
     "took longer than `within`, and its session ended before it"},
    {session_moved, ErrorClass::connection, "a proxy has moved the session to another server"},

    {1290, ErrorClass::unavailable, "the server is read-only"},
    {1792, ErrorClass::unavailable, "the transaction is read-only"},
    {1836, ErrorClass::unavailable, "the server is in read-only mode"},
    {1040, ErrorClass::unavailable, "too many connections"},
    {1203, ErrorClass::unavailable, "too many connections of this user"},
    {1226, ErrorClass::unavailable, "a resource limit of this user is reached"},
    {own_file, ErrorClass::unavailable, "the server failed at a file or a resource of its own"},
    {1021, ErrorClass::unavailable, "the server's disk is full"},
    {1114, ErrorClass::unavailable, "the table is full"},
    {1030, ErrorClass::unavailable, "the storage engine failed"},
    {3100, ErrorClass::unavailable, "replication refused the commit"},
    {1180, ErrorClass::unavailable, "the server failed at COMMIT"},
    {1004, ErrorClass::unavailable, "the server cannot create a file"},
    {1016, ErrorClass::unavailable, "the server cannot open a file"},
    {1017, ErrorClass::unavailable, "the server cannot find a file"},
    {1024, ErrorClass::unavailable, "the server cannot read a file"},
    {1026, ErrorClass::unavailable, "the server cannot write a file"},
    {1598, ErrorClass::unavailable, "the server cannot write its binary log"},
    {1878, ErrorClass::unavailable, "the server cannot write a temporary file"},
    {1037, ErrorClass::unavailable, "the server is out of memory"},
    {1041, ErrorClass::unavailable, "the server is out of memory"},
    {1129, ErrorClass::unavailable, "the server blocks this host"},
    {1130, ErrorClass::unavailable, "this host may not connect"},
    {1135, ErrorClass::unavailable, "the server cannot make a thread"},
    {1206, ErrorClass::unavailable, "the server's lock table is full"},
    {1461, ErrorClass::unavailable,
     "max_prepared_stmt_count is reached: raise it, a session of ours keeps up to 256"},
    {1665, ErrorClass::unavailable, "the binary log's format does not allow READ COMMITTED"},
    {1637, ErrorClass::unavailable, "too many transactions"},
    {2008, ErrorClass::unavailable, "out of memory"},
    {2059, ErrorClass::unavailable, "an authentication plugin cannot be loaded"},
    {2061, ErrorClass::unavailable, "an authentication plugin failed"},
    {3032, ErrorClass::unavailable, "the server is in offline mode"},
    {1045, ErrorClass::unavailable, "access denied: user or password"},
    {1698, ErrorClass::unavailable, "access denied: user or password"},
    {1820, ErrorClass::unavailable, "the password has expired"},
    {1862, ErrorClass::unavailable, "the password has expired"},
    {3118, ErrorClass::unavailable, "the account is locked"},
    {4151, ErrorClass::unavailable, "the account is locked"},

    {1044, ErrorClass::schema, "no right to the database"},
    {1049, ErrorClass::schema, "unknown database"},
    {1054, ErrorClass::schema, "unknown column"},
    {1142, ErrorClass::schema, "no right to the table"},
    {1143, ErrorClass::schema, "no right to the column"},
    {1146, ErrorClass::schema, "no such table"},
    {1305, ErrorClass::schema, "no such routine"},
    {1526, ErrorClass::schema, "no partition takes this row"},
    {1227, ErrorClass::schema, "a privilege is missing"},
    {1370, ErrorClass::schema, "no right to the routine"},

    {1406, ErrorClass::data, "value too long for its column"},
    {1264, ErrorClass::data, "value out of its column's range"},
    {1265, ErrorClass::data, "value would be truncated"},
    {1292, ErrorClass::data, "value is not of its column's type"},
    {1364, ErrorClass::data, "a column without a default was left out"},
    {1366, ErrorClass::data, "value is not of its column's type"},
    {1048, ErrorClass::data, "a column cannot be NULL"},
    {3140, ErrorClass::data, "the text is no JSON for the server"},
    {3141, ErrorClass::data, "the text is no JSON for the server"},
    {3144, ErrorClass::data, "a JSON column does not take bytes: a text over 256 KB is sent so"},
    {3157, ErrorClass::data, "JSON nested too deep for the server"},
    {1452, ErrorClass::data, "a foreign key names no row"},
    {signalled, ErrorClass::data, "a trigger or routine refused (SIGNAL)"},
    {1690, ErrorClass::data, "arithmetic out of range"},
    {3819, ErrorClass::data, "a CHECK constraint refused"},
    {4025, ErrorClass::data, "a CHECK constraint refused"},

    {statement_overdue, ErrorClass::overdue, "took longer than `within` and was ended"},

    {1062, ErrorClass::duplicate, "a row with this key is there already"},
};

const Entry* entry_of(unsigned int code) noexcept {
    if (is_of_files(code)) code = own_file;
    for (const auto& entry : table) {
        if (entry.code == code) return &entry;
    }
    return nullptr;
}

/// The code of the table that stands for this one, or the code itself.
unsigned int listed(unsigned int code, const char* sqlstate) noexcept {
    if (sqlstate == nullptr) return code;
    const std::string_view state{sqlstate};
    // The server's own ones are HY000; SIGNAL … SET MYSQL_ERRNO may say any number.
    if (is_of_files(code) && state != "HY000") return signalled;
    if (entry_of(code) != nullptr) return code;
    if (state.starts_with("08")) return 2013;
    if (state.starts_with("28")) return 1045;
    return code;
}

class Category final : public std::error_category {
public:
    [[nodiscard]] const char* name() const noexcept override { return "mysql"; }
    [[nodiscard]] std::string message(int value) const override {
        const auto* entry = entry_of(static_cast<unsigned int>(value));
        const std::string sentence = entry != nullptr ? entry->sentence : "error";
        return sentence + " (" + std::to_string(value) + ")";
    }
};

}  // namespace

ErrorClass classify(unsigned int code, const char* sqlstate) noexcept {
    const auto* entry = entry_of(listed(code, sqlstate));
    return entry != nullptr ? entry->error_class : ErrorClass::unknown;
}

const char* name_of(ErrorClass error_class) noexcept {
    switch (error_class) {
        case ErrorClass::lost_lock:
            return "lost_lock";
        case ErrorClass::connection:
            return "connection";
        case ErrorClass::unavailable:
            return "unavailable";
        case ErrorClass::schema:
            return "schema";
        case ErrorClass::data:
            return "data";
        case ErrorClass::duplicate:
            return "duplicate";
        case ErrorClass::overdue:
            return "overdue";
        case ErrorClass::unknown:
            return "unknown";
    }
    return "unknown";
}

const std::error_category& category() noexcept {
    static const Category instance;
    return instance;
}

std::error_code make_error(unsigned int code, const char* sqlstate) noexcept {
    return {static_cast<int>(listed(code, sqlstate)), category()};
}

bool is_missing_right(std::error_code ec) noexcept {
    constexpr std::array rights{1044, 1142, 1143, 1227, 1370};
    return ec.category() == category() && std::ranges::contains(rights, ec.value());
}

ErrorClass class_of(std::error_code ec) noexcept {
    if (ec.category() != category()) return ErrorClass::unknown;
    return classify(static_cast<unsigned int>(ec.value()), nullptr);
}

}  // namespace sluice::store
