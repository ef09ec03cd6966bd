#pragma once

#include <system_error>

namespace sluice::store {

/// What an error code of MySQL or MariaDB, or of their client library, means for us. The table from
/// code to class is in error.cpp and is tested entry by entry. It holds all codes that can only be
/// infrastructure's (handshake, network, memory, prepared-statement limits): as `unknown` they would end in
/// the DLQ after a few attempts.
enum class ErrorClass {
    lost_lock,    ///< 1213 1205 1020 1317 3024 1969, 1412 1615 3101 3572: ROLLBACK, run the transaction again
    connection,   ///< 2002 2003 2006 2013 2014 2055 4031 1053 1927, 1243 and SQLSTATE class 08: outcome
                  ///< unknown or gone; new connection, start over
    unavailable,  ///< 1290 1792 1836 1040 1203 1226 1021 1114 1030, 3100 1180 1461 1665, SQLSTATE class 28:
                  ///< demoted, full, refused; pause
    schema,     ///< 1044 1049 1054 1142 1143 1146 1305 1526, 1227 1370: a table, column or right is missing;
                ///< pause
    data,       ///< 1406 1264 1265 1292 1364 1366 1048 1452 1644 1690 3140 3141 3144 3157
                ///< 3819 4025: this event cannot be applied;
                ///< park
    duplicate,  ///< 1062: means a duplicate event only from the inbox INSERT
    overdue,    ///< statement_overdue: a failure of the event whose effect it was
    unknown,    ///< everything else: a few attempts, then park
};

/// ER_LOCK_WAIT_TIMEOUT: of a row, or of a table that another session alters.
constexpr unsigned int lock_wait_timed_out = 1205;
/// ER_LOCK_NOWAIT, which MariaDB calls the former.
constexpr unsigned int lock_held = 3572;
/// A code of ours: a statement took longer than its limit (consumer/store/driver/time_limit.hpp), and was
/// ended.
constexpr unsigned int statement_overdue = 60'002;
/// A code of ours, of class connection: what the write of an applied offset finds out
/// (consumer/store/inbox/applied_offset.hpp).
constexpr unsigned int session_moved = 60'001;
/// A code of ours, of class connection: a statement took longer than its limit, and its session ended before
/// the server had ended it.
constexpr unsigned int statement_overdue_and_lost = 60'003;

[[nodiscard]] ErrorClass classify(unsigned int code, const char* sqlstate) noexcept;
[[nodiscard]] const char* name_of(ErrorClass error_class) noexcept;  ///< closed set, a metric label

/// The code as std::error_code. A code that has its class from its SQLSTATE alone becomes the code that
/// stands for it (2013 for class 08, 1045 for class 28).
[[nodiscard]] const std::error_category& category() noexcept;
[[nodiscard]] std::error_code make_error(unsigned int code, const char* sqlstate) noexcept;
[[nodiscard]] bool is_missing_right(std::error_code ec) noexcept;  ///< 1044 1142 1143 1227 1370
[[nodiscard]] ErrorClass class_of(std::error_code ec) noexcept;    ///< unknown for other categories

}  // namespace sluice::store
