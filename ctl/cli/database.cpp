#include "ctl/cli/database.hpp"

#include "consumer/store/driver/error.hpp"
#include "ctl/cli/exit.hpp"

namespace sluice::ctl {
namespace {

Exit exit_for(std::error_code code) {
    return store::class_of(code) == store::ErrorClass::connection ? Exit::unreachable : Exit::no;
}

}  // namespace

std::string complaint_of(const config::MysqlSettings& settings, const store::ServerError& error) {
    return "MySQL at " + settings.host + ":" + std::to_string(settings.port) + ": " +
           (error.message.empty() ? error.code.message() : error.message);
}

std::unique_ptr<store::Connection> open_database(const config::MysqlSettings& settings,
                                                 const store::Patience& patience) {
    store::ServerError error;
    auto connection = store::Connection::open(settings, &error, patience);
    if (!connection) throw Stopped{exit_for(connection.error()), complaint_of(settings, error)};
    return std::move(*connection);
}

void stop_on(const config::MysqlSettings& settings, const store::Connection& connection,
             std::error_code error) {
    store::ServerError told;
    told.code = error;
    if (connection.last_error().code == error) told = connection.last_error();
    throw Stopped{exit_for(error), complaint_of(settings, told)};
}

}  // namespace sluice::ctl
