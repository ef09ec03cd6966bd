#include "consumer/relay_role/post.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <stdexcept>
#include <utility>

#include "consumer/relay_role/http_answer.hpp"

namespace sluice::consumer {
namespace {

constexpr std::size_t longest_answer = 64 * 1024;
// No message was sent yet: it cannot be the message's doing.
constexpr std::array before_the_request{CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT,
                                        CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION,
                                        CURLE_SSL_CACERT_BADFILE};

}  // namespace

Post::Post(const destination::Url& to) : to_{to}, guard_{to.allowed}, easy_{curl_easy_init()} {
    if (!easy_) throw std::runtime_error{"libcurl cannot be initialized"};
    const auto set = [&](CURLoption option, auto value) {
        if (curl_easy_setopt(easy_.get(), option, value) != CURLE_OK)
            throw std::runtime_error{"this libcurl lacks a required option"};
    };
    set(CURLOPT_URL, to_.url.c_str());
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    // A request of HTTP/2 that times out leaves its connection in use, also when that is dead.
    set(CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
    set(CURLOPT_PROXY, "");  // the configuration says where messages go, not the environment
    set(CURLOPT_USERAGENT, "sluice");
    set(CURLOPT_POST, 1L);
    set(CURLOPT_TIMEOUT_MS, static_cast<long>(to_.timeout.count()));
    set(CURLOPT_NOSIGNAL, 1L);    // no SIGALRM for slow names: other threads run here
    set(CURLOPT_QUICK_EXIT, 1L);  // nor wait for a name lookup that is no longer needed
    set(CURLOPT_PRIVATE, this);
    set(CURLOPT_WRITEFUNCTION, &forget);
    set(CURLOPT_WRITEDATA, this);
    set(CURLOPT_HEADERFUNCTION, &note_header);
    set(CURLOPT_HEADERDATA, this);
    if (!guard_.watch(easy_.get())) throw std::runtime_error{"this libcurl lacks a required option"};
    if (!to_.ca_file.empty()) set(CURLOPT_CAINFO, to_.ca_file.c_str());
}

void Post::prepare(std::size_t number, const std::vector<std::string>& lines, std::string_view body) {
    number_ = number;
    received_ = 0;
    has_answer_ = false;
    retry_after_.clear();
    guard_.begin();
    headers_.reset();
    for (const auto& line : lines) headers_.reset(curl_slist_append(headers_.release(), line.c_str()));
    curl_easy_setopt(easy_.get(), CURLOPT_HTTPHEADER, headers_.get());
    curl_easy_setopt(easy_.get(), CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
    curl_easy_setopt(easy_.get(), CURLOPT_POSTFIELDS, body.data());
}

Sent Post::outcome(CURLcode code) const {
    long status = 0;
    curl_easy_getinfo(easy_.get(), CURLINFO_RESPONSE_CODE, &status);
    // A status counts, whatever the rest of the answer is like.
    if (has_answer_ && status >= 200) return judged(static_cast<int>(status), retry_after_);
    if (auto refusal = guard_.refusal(); code == CURLE_COULDNT_CONNECT && !refusal.empty())
        return {Sent::How::failed, std::move(refusal)};
    long sent = 0;  // bytes of the request, 0 also where nobody answers a connection
    curl_easy_getinfo(easy_.get(), CURLINFO_REQUEST_SIZE, &sent);
    const bool is_out_of_reach = sent == 0 || std::ranges::contains(before_the_request, code);
    return {is_out_of_reach ? Sent::How::failed : Sent::How::later, curl_easy_strerror(code)};
}

std::size_t Post::forget(char*, std::size_t size, std::size_t count, void* post) {
    auto& received = static_cast<Post*>(post)->received_;
    received += size * count;
    return received > longest_answer ? 0 : size * count;
}

std::size_t Post::note_header(char* line, std::size_t size, std::size_t count, void* post) {
    auto& its = *static_cast<Post*>(post);
    constexpr std::string_view name = "retry-after:";
    std::string_view text{line, size * count};
    its.received_ += text.size();
    if (text.starts_with("HTTP/")) its.has_answer_ = true;
    if (its.received_ > longest_answer) return 0;
    const auto in_lower_case = [](unsigned char c) { return std::tolower(c); };
    const bool is_it =
        text.size() > name.size() && std::ranges::equal(text.substr(0, name.size()), name, {}, in_lower_case);
    if (!is_it) return size * count;
    text.remove_prefix(name.size());
    its.retry_after_ = text.substr(std::min(text.find_first_not_of(' '), text.size()));
    return size * count;
}

}  // namespace sluice::consumer
