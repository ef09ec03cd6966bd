#include "ctl/send/traffic/endpoint.hpp"

#include <algorithm>
#include <charconv>

#include "ctl/cli/exit.hpp"

namespace sluice::ctl {
namespace {

bool is_octet(std::string_view text) {
    int value = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size() && value >= 0 && value <= 255 &&
           text.size() <= 3;
}

bool is_in_127(std::string_view host) {
    int octets = 0;
    for (std::string_view rest = host;; ++octets) {
        const std::size_t dot = rest.find('.');
        if (!is_octet(rest.substr(0, dot))) return false;
        if (dot == std::string_view::npos) break;
        rest.remove_prefix(dot + 1);
    }
    return octets == 3 && host.starts_with("127.");
}

/// Host of "host", "host:port", "[v6]" or "[v6]:port".
std::string host_of(std::string_view authority) {
    if (authority.starts_with('[')) return std::string{authority.substr(1, authority.find(']') - 1)};
    return std::string{authority.substr(0, authority.find(':'))};
}

}  // namespace

Endpoint endpoint_from_url(const std::string& url, const std::string& source_path) {
    const std::size_t scheme_end = url.find("://");
    const bool is_http = url.starts_with("http://") || url.starts_with("https://");
    if (!is_http)
        throw Stopped{Exit::usage, "--url must begin with http:// or https://, not \"" + url + "\""};
    const std::size_t path_start = url.find('/', scheme_end + 3);
    const std::string authority = url.substr(scheme_end + 3, path_start - scheme_end - 3);
    if (authority.empty() || authority.contains('@'))
        throw Stopped{Exit::usage, "--url \"" + url + "\" must have a plain host"};
    const std::string path = path_start == std::string::npos ? "" : url.substr(path_start);
    return {.origin = url.substr(0, scheme_end + 3) + authority,
            .host = host_of(authority),
            .path = path.empty() || path == "/" ? source_path : path};
}

std::string url_of(const config::ListenSettings& listen) {
    const std::string& host = listen.address.host;
    const bool is_everywhere = host.empty() || host == "0.0.0.0" || host == "*" || host == "::";
    const std::string peer = is_everywhere ? "127.0.0.1" : host.contains(':') ? "[" + host + "]" : host;
    return (listen.tls.enabled ? "https://" : "http://") + peer + ":" + std::to_string(listen.address.port);
}

bool is_loopback(std::string_view host) {
    return host == "localhost" || host == "::1" || is_in_127(host);
}

}  // namespace sluice::ctl
