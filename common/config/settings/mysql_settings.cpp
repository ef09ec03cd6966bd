#include "common/config/scalar_text.hpp"
#include "common/config/settings/connections.hpp"
#include "common/config/settings/host_port.hpp"
#include "common/config/settings/tls_settings.hpp"

namespace sluice::config {
namespace {

std::string read_host(Section& mysql) {
    auto host = mysql.required_text("host");
    const bool is_name =
        host_port_from_text(host, std::uint16_t{0}).has_value() && host.find(':') == std::string::npos;
    if (!host.empty() && !is_name && !is_address(host)) {
        mysql.problem_at("host",
                         "mysql.host must be a name or an address without a port, not " + in_quotes(host));
    }
    return host;
}

}  // namespace

MysqlSettings read_mysql(const Document& document, Problems& problems) {
    auto mysql = document.section("mysql");
    MysqlSettings settings;
    settings.host = read_host(mysql);
    settings.port = static_cast<std::uint16_t>(mysql.integer("port", settings.port, 1, 65'535));
    settings.database = mysql.required_text("database");
    if (!mysql.has("user")) static_cast<void>(mysql.required_text("user"));
    settings.user = read_user(mysql, "user", problems);
    settings.password = read_password(mysql, "password", problems);
    settings.tls = read_tls(mysql, "tls", TlsSide::client);
    return settings;
}

}  // namespace sluice::config
