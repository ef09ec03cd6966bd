#include "common/config/settings/tracing_settings.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "common/config/secret_reference.hpp"
#include "common/config/settings/host_port.hpp"
#include "common/config/settings/tls_settings.hpp"
#include "common/http/grammar.hpp"

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

std::string lower(std::string text) {
    std::ranges::transform(text, text.begin(), http::lower);
    return text;
}

/// Headers that the exporter itself sets.
bool is_ours(std::string_view name) {
    constexpr std::array<std::string_view, 7> ours{"connection",       "content-encoding", "content-length",
                                                   "content-type",     "expect",           "host",
                                                   "transfer-encoding"};
    return std::ranges::contains(ours, name);
}

Secret read_header_value(Section& section, Problems& problems) {
    if (!section.has("value")) section.problem("value is missing: {file: PATH} or {env: NAME}");
    const auto reference = section.secret("value");
    if (!reference) return {};
    Secret value = resolve(*reference, problems);
    const std::string_view bytes = value.bytes();
    const bool has_edges = bytes.starts_with(' ') || bytes.ends_with(' ');
    if (has_edges || !std::ranges::all_of(bytes, http::is_value_character))
        section.problem_at("value",
                           reference->text() + " must be one line of ASCII without spaces around it");
    return value;
}

std::vector<TracingHeader> read_headers(Section& tracing, Problems& problems) {
    std::vector<TracingHeader> headers;
    std::set<std::string> names;
    for (Section& section : tracing.sections("headers")) {
        TracingHeader header{.name = section.required_text("name"),
                             .value = read_header_value(section, problems)};
        if (!http::is_token(header.name) || is_ours(lower(header.name)))
            section.problem_at(
                "name",
                "a header's name must be a token such as Authorization, and not one that the exporter sets");
        else if (!names.insert(lower(header.name)).second)
            section.problem_at("name", "two headers have this name");
        headers.push_back(std::move(header));
    }
    return headers;
}

}  // namespace

TracingSettings read_tracing(const Document& document, Problems& problems) {
    auto section = document.section("tracing");
    TracingSettings settings;
    settings.endpoint = section.text("endpoint", "");
    settings.ratio = section.ratio("ratio", settings.ratio);
    settings.tls = read_tls(section, "tls", TlsSide::client);
    settings.headers = read_headers(section, problems);
    if (settings.endpoint.empty()) {
        if (section.has("ratio") || settings.tls.enabled || !settings.headers.empty())
            section.problem("tracing.endpoint must be given: without it nothing is traced");
        return settings;
    }
    if (!is_endpoint(settings.endpoint))
        section.problem_at("endpoint",
                           "tracing.endpoint must be the collector's URL for traces, with the path, such as "
                           "http://collector:4318/v1/traces");
    if (settings.tls.enabled && !settings.endpoint.starts_with(secure))
        section.problem_at("endpoint",
                           "tracing.endpoint must begin with https:// because tracing.tls is set");
    if (!settings.headers.empty() && !settings.endpoint.starts_with(secure))
        section.warn(
            "tracing.headers are sent to the collector in clear text: tracing.endpoint does not begin with "
            "https://");
    return settings;
}

}  // namespace sluice::config
