#include "poller/fetch/get.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include <curl/curl.h>
#include <openssl/crypto.h>

#include "common/http/grammar.hpp"
#include "common/network/guarded_socket.hpp"

namespace sluice::poller {
namespace {

constexpr std::size_t longest_refusal = std::size_t{64} * 1024;

/// Its copies of the key go with it.
struct WipeList {
    void operator()(curl_slist* list) const noexcept {
        for (curl_slist* line = list; line != nullptr; line = line->next)
            OPENSSL_cleanse(line->data, std::strlen(line->data));
        curl_slist_free_all(list);
    }
};
using Lines = std::unique_ptr<curl_slist, WipeList>;

void append(Lines& lines, const char* line) {
    curl_slist* const longer = curl_slist_append(lines.get(), line);
    if (longer == nullptr) throw std::bad_alloc{};
    static_cast<void>(lines.release());
    lines.reset(longer);
}

Lines lines_of(const ApiRequest& request) {
    Lines lines;
    append(lines, "Accept: application/json");
    for (const auto& [name, value] : request.headers) {
        if (!http::is_token(name) || !std::ranges::all_of(value.bytes(), http::is_value_character))
            throw std::invalid_argument{"the header " + name + " holds what HTTP does not allow"};
        std::string line;
        line.reserve(name.size() + value.bytes().size() + 2);
        line.append(name).append(": ").append(value.bytes());
        append(lines, line.c_str());
        OPENSSL_cleanse(line.data(), line.size());
    }
    return lines;
}

bool is_target(std::string_view text) {
    const auto is_visible = [](char c) { return c > ' ' && c < '\x7f' && c != '#'; };
    return text.starts_with('/') && std::ranges::all_of(text, is_visible);
}

}  // namespace

/// The handle, and what it is told and tells during one request.
class Get::Transfer {
public:
    explicit Transfer(const Api& api)
        : api_{api}, guard_{api.allowed, api.url.starts_with("https://")}, easy_{curl_easy_init()} {
        if (!easy_ || !guard_.watch(easy_.get())) throw std::runtime_error{"libcurl cannot be initialized"};
        set(CURLOPT_PROTOCOLS_STR, "http,https");
        set(CURLOPT_FOLLOWLOCATION, 0L);
        set(CURLOPT_PATH_AS_IS, 1L);
        // A request of HTTP/2 that times out leaves its connection in use, also when that is dead.
        set(CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
        set(CURLOPT_SSL_VERIFYPEER, 1L);
        set(CURLOPT_SSL_VERIFYHOST, 2L);
        // The configuration says which way, not the environment.
        set(CURLOPT_PROXY, api_.proxy.c_str());
        set(CURLOPT_NOPROXY, "");
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
        set(CURLOPT_USERAGENT, "sluice");
        set(CURLOPT_TIMEOUT_MS, static_cast<long>(api_.timeout.count()));
        set(CURLOPT_NOSIGNAL, 1L);    // no SIGALRM for slow names: other threads run here
        set(CURLOPT_QUICK_EXIT, 1L);  // nor wait for a name lookup that is no longer needed
        set(CURLOPT_WRITEFUNCTION, &take_body);
        set(CURLOPT_WRITEDATA, this);
        set(CURLOPT_HEADERFUNCTION, &take_line);
        set(CURLOPT_HEADERDATA, this);
        set(CURLOPT_NOPROGRESS, 0L);
        set(CURLOPT_XFERINFOFUNCTION, &has_to_end);
        set(CURLOPT_XFERINFODATA, this);
        if (!api_.ca_file.empty()) set(CURLOPT_CAINFO, api_.ca_file.c_str());
    }

    [[nodiscard]] std::expected<Answer, NoAnswer> run(const ApiRequest& request,
                                                      const std::stop_token& stop) {
        if (!is_target(request.target)) throw std::invalid_argument{"the target is none of HTTP"};
        const Lines lines = lines_of(request);
        begin(stop);
        set(CURLOPT_URL, (api_.url + request.target).c_str());
        set(CURLOPT_HTTPHEADER, lines.get());
        const CURLcode end = curl_easy_perform(easy_.get());
        set(CURLOPT_HTTPHEADER, nullptr);
        return outcome(end);
    }

private:
    struct ReleaseEasy {
        void operator()(CURL* handle) const noexcept { curl_easy_cleanup(handle); }
    };

    template <class Value>
    void set(CURLoption option, Value value) {
        if (curl_easy_setopt(easy_.get(), option, value) != CURLE_OK)
            throw std::runtime_error{"this libcurl lacks a required option"};
    }

    void begin(const std::stop_token& stop) {
        stop_ = stop;
        guard_.begin();
        reader_ = {};
        body_.clear();
        is_too_long_ = false;
    }

    [[nodiscard]] bool is_success() const { return reader_.status() >= 200 && reader_.status() < 300; }

    [[nodiscard]] std::expected<Answer, NoAnswer> outcome(CURLcode end) {
        using enum NoAnswer::Why;
        const AnswerHead head = reader_.head();
        // Any other status counts, whatever the rest of the answer is like.
        const bool counts = !is_success() || (end == CURLE_OK && reader_.is_whole());
        if (head.status >= 200 && counts) return Answer{head, std::move(body_), took()};
        if (is_too_long_) return std::unexpected{NoAnswer{too_long, "the answer is longer than is taken"}};
        if (end == CURLE_ABORTED_BY_CALLBACK) return std::unexpected{NoAnswer{stopped, "it was stopped"}};
        if (auto refusal = guard_.refusal(); end == CURLE_COULDNT_CONNECT && !refusal.empty())
            return std::unexpected{NoAnswer{unreachable, std::move(refusal)}};
        const char* const why = end == CURLE_OK ? "the answer was cut" : curl_easy_strerror(end);
        return std::unexpected{NoAnswer{unreachable, why}};
    }

    [[nodiscard]] Milliseconds took() const {
        curl_off_t microseconds = 0;
        curl_easy_getinfo(easy_.get(), CURLINFO_TOTAL_TIME_T, &microseconds);
        return std::chrono::ceil<Milliseconds>(std::chrono::microseconds{microseconds});
    }

    // What libcurl calls; the last argument is the Transfer. A smaller count ends the request.
    static std::size_t take_body(char* bytes, std::size_t size, std::size_t count, void* transfer) {
        auto& its = *static_cast<Transfer*>(transfer);
        const bool is_success = its.is_success();
        const std::size_t most = is_success ? its.api_.most_bytes : longest_refusal;
        const std::size_t taken = std::min(size * count, most - its.body_.size());
        its.body_.append(bytes, taken);
        if (taken < size * count) its.is_too_long_ = is_success;
        return taken;
    }

    /// libcurl ends a head of more than 300 KiB by itself.
    static std::size_t take_line(char* line, std::size_t size, std::size_t count, void* transfer) {
        static_cast<Transfer*>(transfer)->reader_.take({line, size * count});
        return size * count;
    }

    static int has_to_end(void* transfer, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
        return static_cast<const Transfer*>(transfer)->stop_.stop_requested() ? 1 : 0;
    }

    const Api& api_;
    network::GuardedSocket guard_;  // used by the handle: goes after it
    std::unique_ptr<CURL, ReleaseEasy> easy_;
    std::stop_token stop_;
    HeadReader reader_;
    std::string body_;
    bool is_too_long_ = false;
};

Get::Get(const Api& api) : transfer_{std::make_unique<Transfer>(api)} {}

Get::~Get() = default;

std::expected<Answer, NoAnswer> Get::ask(const ApiRequest& request, const std::stop_token& stop) {
    return transfer_->run(request, stop);
}

}  // namespace sluice::poller
