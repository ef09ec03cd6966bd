#include "ctl/paypal/download.hpp"

#include <condition_variable>
#include <format>
#include <stop_token>
#include <thread>

#include <httplib.h>

namespace sluice::ctl {
namespace {

constexpr int https_port = 443;

/// httplib bounds each read only; a server that sends a byte now and then would be read forever.
class WholeTime {
public:
    WholeTime(httplib::SSLClient& client, Milliseconds within)
        : watcher_{[&client, within](const std::stop_token& done) { end_after(client, within, done); }} {}

private:
    static void end_after(httplib::SSLClient& client, Milliseconds within, const std::stop_token& done) {
        std::mutex mutex;
        std::condition_variable_any never;
        std::unique_lock lock{mutex};
        never.wait_for(lock, done, within, [] { return false; });
        if (!done.stop_requested()) client.stop();
    }

    std::jthread watcher_;
};

void follow(const DownloadRules& rules, const std::string& host, httplib::SSLClient& client) {
    client.set_follow_location(false);
    client.set_decompress(false);
    client.enable_server_certificate_verification(true);
    client.set_connection_timeout(rules.within);
    client.set_read_timeout(rules.within);
    client.set_write_timeout(rules.within);
    if (!rules.ca_file.empty()) client.set_ca_cert_path(rules.ca_file);
    if (rules.by_way_of) client.set_hostname_addr_map({{host, rules.by_way_of->host}});
}

DownloadFailure failure_of(httplib::Error error) {
    using enum httplib::Error;
    const bool is_about_trust = error == SSLConnection || error == SSLServerVerification ||
                                error == SSLServerHostnameVerification || error == SSLLoadingCerts;
    return {.is_unreachable = !is_about_trust, .why = httplib::to_string(error)};
}

/// What a GET brings, as httplib hands it over.
struct Arriving {
    std::size_t longest;
    int status = 0;
    bool is_too_long = false;
    std::string text{};

    [[nodiscard]] bool begin(const httplib::Response& response) {
        status = response.status;
        return status == httplib::StatusCode::OK_200;
    }
    [[nodiscard]] bool add(std::string_view piece) {
        is_too_long = piece.size() > longest - text.size();
        if (!is_too_long) text += piece;
        return !is_too_long;
    }
    [[nodiscard]] std::optional<std::string> complaint() const {
        const std::string_view redirect = status / 100 == 3 ? ", and redirects are not followed" : "";
        if (status != 0 && status != httplib::StatusCode::OK_200)
            return std::format("the answer is {}{}", status, redirect);
        if (is_too_long) return std::format("the answer is longer than {} bytes", longest);
        return std::nullopt;
    }
};

}  // namespace

std::expected<std::string, DownloadFailure> download(const std::string& address, const DownloadRules& rules) {
    constexpr std::string_view scheme = "https://";
    const std::size_t path = address.find('/', scheme.size());
    const std::string host = address.substr(scheme.size(), path - scheme.size());
    httplib::SSLClient client{host, rules.by_way_of ? rules.by_way_of->port : https_port};
    follow(rules, host, client);
    Arriving arriving{.longest = rules.longest};
    const WholeTime bound{client, rules.within};
    const auto result = client.Get(
        address.substr(path),
        {{"Host", host}, {"User-Agent", "sluicectl"}, {"Accept", "*/*"}, {"Accept-Encoding", "identity"}},
        [&](const httplib::Response& response) { return arriving.begin(response); },
        [&](const char* piece, std::size_t size) { return arriving.add({piece, size}); });
    if (result) arriving.status = result->status;  // no callback reports it for an answer without a body
    if (const auto complaint = arriving.complaint())
        return std::unexpected{DownloadFailure{.is_unreachable = false, .why = *complaint}};
    if (!result) return std::unexpected{failure_of(result.error())};
    return std::move(arriving.text);
}

}  // namespace sluice::ctl
