#include "consumer/store/driver/connector.hpp"

#include <fcntl.h>
#include <mysql_driver.h>
#include <sys/mman.h>
#include <unistd.h>

#include <string_view>

namespace sluice::store {
namespace {

class KnownThread {
public:
    explicit KnownThread(sql::Driver& driver) : driver_{driver} { driver_.threadInit(); }
    KnownThread(const KnownThread&) = delete;
    KnownThread& operator=(const KnownThread&) = delete;
    ~KnownThread() { driver_.threadEnd(); }

private:
    sql::Driver& driver_;
};

// Without mysql_clear_password and dialog: a server that is not ours could ask for the password itself.
constexpr std::string_view allowed_logins =
    "[client]\n"
    "restricted-auth=mysql_native_password,caching_sha2_password,sha256_password,client_ed25519,parsec\n";

sql::SQLException no_login_file() {
    constexpr int cannot_load_logins = 2059;
    return {"cannot make a file of the ways to log in: is /proc mounted, are descriptors left?", "HY000",
            cannot_load_logins};
}

std::string make_login_file() {
    const int file = memfd_create("sluice-mysql-logins", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file == -1) throw no_login_file();
    constexpr int for_good = F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL;
    const auto size = static_cast<ssize_t>(allowed_logins.size());
    if (write(file, allowed_logins.data(), allowed_logins.size()) == size &&
        fcntl(file, F_ADD_SEALS, for_good) == 0)
        return "/proc/self/fd/" + std::to_string(file);
    close(file);
    throw no_login_file();
}

}  // namespace

sql::Driver& connector() {
    // Asked for here alone: two threads that asked the connector for its first instance would race.
    static sql::Driver& instance = *sql::mysql::get_mysql_driver_instance();
    thread_local const KnownThread thread{instance};
    return instance;
}

std::string login_file() {
    static const std::string path = make_login_file();  // where that throws, the next call tries again
    // Opened as the client library will, which goes on without a file that it cannot open.
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file == -1) throw no_login_file();
    close(file);
    return path;
}

DriverError error_of(const sql::SQLException& error) {
    constexpr unsigned int out_of_sync = 2014;
    const auto code = error.getErrorCode();
    return {code > 0 ? static_cast<unsigned int>(code) : out_of_sync, error.getSQLState(), error.what()};
}

}  // namespace sluice::store
