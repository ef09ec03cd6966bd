#include "common/config/tracing_settings.hpp"

#include <algorithm>

#include "common/config/host_port.hpp"
#include "common/config/tls_settings.hpp"

namespace sluice::config {
namespace {

constexpr std::string_view plain = "http://";
constexpr std::string_view secure = "https://";

bool is_url_byte(char c) {
    return c > ' ' && c <= '~';
}

/// http(s)://HOST[:PORT]/PATH, without credentials, query or fragment.
bool is_endpoint(std::string_view url) {
    const bool is_secure = url.starts_with(secure);
    if (!is_secure && !url.starts_with(plain)) return false;
    if (!std::ranges::all_of(url, is_url_byte) || url.find_first_of("@?#") != std::string_view::npos)
        return false;
    url.remove_prefix(is_secure ? secure.size() : plain.size());
    const auto slash = url.find('/');
    if (slash == std::string_view::npos || slash + 1 == url.size()) return false;
    const auto address = host_port_from_text(url.substr(0, slash), is_secure ? 443 : 80);
    return address && address->port != 0;
}

}  // namespace

TracingSettings read_tracing(const Document& document) {
    auto section = document.section("tracing");
    TracingSettings settings;
    settings.endpoint = section.text("endpoint", "");
    settings.ratio = section.ratio("ratio", settings.ratio);
    settings.tls = read_tls(section, "tls", TlsSide::client);
    if (settings.endpoint.empty()) {
        if (section.has("ratio") || settings.tls.enabled)
            section.problem("tracing.endpoint must be given: without it nothing is traced");
        return settings;
    }
    if (!is_endpoint(settings.endpoint))
        section.problem_at("endpoint",
                           "tracing.endpoint must be the collector's URL for traces with its path, such as "
                           "http://collector:4318/v1/traces");
    if (settings.tls.enabled && !settings.endpoint.starts_with(secure))
        section.problem_at("endpoint", "tracing.endpoint must begin with https:// since tracing.tls is set");
    return settings;
}

}  // namespace sluice::config
