#include "common/trace/http_collector.hpp"

#include <algorithm>
#include <atomic>
#include <stdexcept>

#include <curl/curl.h>
#include <openssl/crypto.h>

namespace sluice::trace {
namespace {

constexpr long status_too_many = 429;
constexpr long status_bad_gateway = 502;
constexpr long status_unavailable = 503;
constexpr long status_gateway_timeout = 504;
constexpr long longest_poll_ms = 1000;

// Both handles are void to C++.
struct ReleaseEasy {
    void operator()(CURL* handle) const noexcept { curl_easy_cleanup(handle); }
};
struct ReleaseMulti {
    void operator()(CURLM* handle) const noexcept { curl_multi_cleanup(handle); }
};
struct ReleaseList {
    void operator()(curl_slist* list) const noexcept { curl_slist_free_all(list); }
};
using Easy = std::unique_ptr<CURL, ReleaseEasy>;
using Multi = std::unique_ptr<CURLM, ReleaseMulti>;
using Headers = std::unique_ptr<curl_slist, ReleaseList>;

/// Reads and discards what a collector sends beyond its status.
std::size_t forget(char*, std::size_t size, std::size_t count, void*) {
    return size * count;
}

Sent verdict_on(long status) {
    if (status >= 200 && status < 300) return {};
    const bool may_pass = status == status_too_many || status == status_bad_gateway ||
                          status == status_unavailable || status == status_gateway_timeout;
    return {may_pass ? Sent::Kind::again : Sent::Kind::refused,
            "it answered with status " + std::to_string(status)};
}

class HttpCollector final : public Collector {
public:
    HttpCollector(const config::TracingSettings& settings, const Clock& clock)
        : clock_{clock}, easy_{curl_easy_init()}, multi_{curl_multi_init()} {
        headers_.reset(curl_slist_append(nullptr, "Content-Type: application/json"));
        // Without this curl waits a second for "100 Continue" before a larger body.
        if (headers_) curl_slist_append(headers_.get(), "Expect:");
        for (const config::TracingHeader& header : settings.headers) add(header);
        if (!easy_ || !multi_ || !headers_)
            throw std::runtime_error{"tracing: libcurl cannot be initialized"};
        set(CURLOPT_URL, settings.endpoint.c_str());
        set(CURLOPT_PROTOCOLS_STR, "http,https");
        set(CURLOPT_PROXY, "");  // the configuration says where spans go, not the environment
        set(CURLOPT_USERAGENT, "sluice");
        set(CURLOPT_HTTPHEADER, headers_.get());
        set(CURLOPT_WRITEFUNCTION, &forget);
        set(CURLOPT_NOSIGNAL, 1L);    // no SIGALRM for slow names: other threads run here
        set(CURLOPT_QUICK_EXIT, 1L);  // nor wait for a name lookup that is no longer needed
        if (!settings.tls.ca_file.empty()) set(CURLOPT_CAINFO, settings.tls.ca_file.c_str());
        if (!settings.tls.cert_file.empty()) set(CURLOPT_SSLCERT, settings.tls.cert_file.c_str());
        if (!settings.tls.key_file.empty()) set(CURLOPT_SSLKEY, settings.tls.key_file.c_str());
    }

    Sent send(std::string_view body, Milliseconds within) override {
        set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
        set(CURLOPT_POSTFIELDS, body.data());
        curl_multi_add_handle(multi_.get(), easy_.get());
        Sent sent = converse(clock_.steady() + within);
        curl_multi_remove_handle(multi_.get(), easy_.get());  // one that is under way loses its connection
        return sent;
    }

    void hurry(Milliseconds within) override {
        until_ = (clock_.steady() + within).time_since_epoch().count();
        curl_multi_wakeup(multi_.get());
    }

private:
    /// libcurl keeps its own copy for as long as the process lives, and sends it nowhere else: redirects are
    /// not followed.
    void add(const config::TracingHeader& header) {
        std::string line = header.name + ": ";
        line.reserve(line.size() + header.value.bytes().size());
        line += header.value.bytes();
        const bool added = headers_ && curl_slist_append(headers_.get(), line.c_str()) != nullptr;
        OPENSSL_cleanse(line.data(), line.size());
        if (!added) throw std::runtime_error{"tracing: a header cannot be added"};
    }

    template <class Value>
    void set(CURLoption option, Value value) {
        if (curl_easy_setopt(easy_.get(), option, value) != CURLE_OK)
            throw std::runtime_error{"tracing: this libcurl lacks a required option"};
    }

    Sent converse(SteadyTime deadline) {
        int running = 0;
        while (curl_multi_perform(multi_.get(), &running) == CURLM_OK && running > 0) {
            const SteadyTime until = std::min(deadline, SteadyTime{SteadyTime::duration{until_.load()}});
            const auto left = std::chrono::ceil<Milliseconds>(until - clock_.steady()).count();
            if (left <= 0) return {Sent::Kind::again, "it did not answer in time"};
            curl_multi_poll(multi_.get(), nullptr, 0,
                            static_cast<int>(std::min<std::int64_t>(left, longest_poll_ms)), nullptr);
        }
        int messages = 0;
        const CURLMsg* end = curl_multi_info_read(multi_.get(), &messages);
        if (end == nullptr || end->msg != CURLMSG_DONE) return {Sent::Kind::again, "libcurl failed"};
        if (end->data.result != CURLE_OK) return {Sent::Kind::again, curl_easy_strerror(end->data.result)};
        long status = 0;
        curl_easy_getinfo(easy_.get(), CURLINFO_RESPONSE_CODE, &status);
        return verdict_on(status);
    }

    const Clock& clock_;
    Headers headers_;
    Easy easy_;
    Multi multi_;
    std::atomic<SteadyTime::rep> until_{SteadyTime::max().time_since_epoch().count()};
};

}  // namespace

std::unique_ptr<Collector> http_collector(const config::TracingSettings& settings, const Clock& clock) {
    return std::make_unique<HttpCollector>(settings, clock);
}

}  // namespace sluice::trace
