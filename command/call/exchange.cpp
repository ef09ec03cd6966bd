#include "command/call/exchange.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "command/config/answers.hpp"

namespace sluice::command {
namespace {

using How = Exchanged::How;

constexpr std::size_t longest_type = 128;  // of the column content_type
constexpr std::array before_the_request{CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT,
                                        CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION,
                                        CURLE_SSL_CACERT_BADFILE};

std::string type_of(CURL* handle) {
    const char* type = nullptr;
    curl_easy_getinfo(handle, CURLINFO_CONTENT_TYPE, &type);
    std::string text = type == nullptr ? "" : type;
    return text.empty() || text.size() > longest_type ? "application/octet-stream" : text;
}

/// `chunked` is the last encoding.
bool is_chunked(std::string_view encoding) {
    constexpr std::string_view chunked = "chunked";
    return encoding.size() >= chunked.size() &&
           curl_strnequal(encoding.substr(encoding.size() - chunked.size()).data(), chunked.data(),
                          chunked.size());
}

/// As the service wrote it, of the last such line; empty: there is none.
std::string_view transfer_encoding_of(CURL* handle) {
    curl_header* line = nullptr;
    if (curl_easy_header(handle, "Transfer-Encoding", 0, CURLH_HEADER, -1, &line) != CURLHE_OK) return {};
    if (line->amount > 1)
        (void)curl_easy_header(handle, "Transfer-Encoding", line->amount - 1, CURLH_HEADER, -1, &line);
    return line->value;
}

/// An answer that ends where its connection ends may have been cut, and nobody can tell (RFC 9112, section
/// 6.3, item 8, and section 8).
bool says_where_it_ends(CURL* handle, long status) {
    curl_off_t length = -1;
    curl_easy_getinfo(handle, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
    const bool has_body = status != 204 && status != 304;
    return !has_body || length >= 0 || is_chunked(transfer_encoding_of(handle));
}

}  // namespace

template <class Value>
void Exchange::set(CURLoption option, Value value) {
    if (curl_easy_setopt(easy_.get(), option, value) != CURLE_OK)
        throw std::runtime_error{"this libcurl lacks a required option"};
}

Exchange::Exchange(const CallDefinition& call)
    : call_{call}, guard_{call.allowed, true}, easy_{curl_easy_init()} {
    if (!easy_ || !guard_.watch(easy_.get())) throw std::runtime_error{"libcurl cannot be initialized"};
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    set(CURLOPT_FOLLOWLOCATION, 0L);
    set(CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
    set(CURLOPT_FRESH_CONNECT, 1L);
    set(CURLOPT_FORBID_REUSE, 1L);
    set(CURLOPT_PROXY, "");  // the configuration says where calls go, not the environment
    set(CURLOPT_USERAGENT, "sluice");
    set(CURLOPT_TIMEOUT_MS, static_cast<long>(call_.within.count()));
    set(CURLOPT_NOSIGNAL, 1L);    // no SIGALRM for slow names: other threads run here
    set(CURLOPT_QUICK_EXIT, 1L);  // nor wait for a name lookup that is no longer needed
    set(CURLOPT_WRITEFUNCTION, &take_body);
    set(CURLOPT_WRITEDATA, this);
    if (!call_.ca_file.empty()) set(CURLOPT_CAINFO, call_.ca_file.c_str());
}

Exchanged Exchange::post(const Lines& lines, std::string_view body) {
    set(CURLOPT_POST, 1L);
    set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
    set(CURLOPT_POSTFIELDS, body.data());
    return run(call_.url, lines);
}

Exchanged Exchange::get(const std::string& url, const Lines& lines) {
    set(CURLOPT_HTTPGET, 1L);
    return run(url, lines);
}

Exchanged Exchange::run(const std::string& url, const Lines& lines) {
    guard_.begin();
    body_.clear();
    std::unique_ptr<curl_slist, ReleaseList> headers;
    for (const auto& line : lines) {
        auto* longer = curl_slist_append(headers.get(), line.c_str());
        if (longer == nullptr) throw std::bad_alloc{};
        static_cast<void>(headers.release());
        headers.reset(longer);
    }
    set(CURLOPT_URL, url.c_str());
    set(CURLOPT_HTTPHEADER, headers.get());
    const CURLcode end = curl_easy_perform(easy_.get());
    set(CURLOPT_HTTPHEADER, nullptr);
    return judged(end);
}

Exchanged Exchange::judged(CURLcode end) {
    long status = 0;
    curl_easy_getinfo(easy_.get(), CURLINFO_RESPONSE_CODE, &status);
    const bool is_over = end == CURLE_OK && status >= 200;
    if (is_over && !says_where_it_ends(easy_.get(), status))
        return {.how = How::unknown, .why = "the answer does not say where it ends, so it may have been cut"};
    if (is_over)
        return {.how = How::answered,
                .response = {static_cast<int>(status), type_of(easy_.get()), std::move(body_)}};
    if (auto refusal = guard_.refusal(); end == CURLE_COULDNT_CONNECT && !refusal.empty())
        return {.how = How::not_sent, .why = std::move(refusal)};
    long sent = 0;  // bytes of the request, 0 also where nobody answers a connection
    curl_easy_getinfo(easy_.get(), CURLINFO_REQUEST_SIZE, &sent);
    const bool is_not_sent = sent == 0 || std::ranges::contains(before_the_request, end);
    const char* why =
        end == CURLE_WRITE_ERROR ? "the answer is longer than is taken" : curl_easy_strerror(end);
    return {.how = is_not_sent ? How::not_sent : How::unknown, .why = why};
}

std::size_t Exchange::take_body(char* bytes, std::size_t size, std::size_t count, void* exchange) {
    auto& body = static_cast<Exchange*>(exchange)->body_;
    if (body.size() + size * count > longest_response) return 0;
    body.append(bytes, size * count);
    return size * count;
}

}  // namespace sluice::command
