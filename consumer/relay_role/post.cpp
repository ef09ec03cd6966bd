#include "consumer/relay_role/post.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <stdexcept>

#include <netinet/in.h>

#include "common/network/public_address.hpp"
#include "consumer/relay_role/http_answer.hpp"

namespace sluice::consumer {
namespace {

constexpr std::size_t longest_answer = 64 * 1024;
// No message was sent yet: it cannot be the message's doing.
constexpr std::array before_the_request{CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT,
                                        CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION,
                                        CURLE_SSL_CACERT_BADFILE};

network::Address address_of(const curl_sockaddr& peer) {
    if (peer.family == AF_INET) {
        std::array<std::uint8_t, 4> bytes{};
        const auto& v4 = reinterpret_cast<const sockaddr_in&>(peer.addr);
        std::copy_n(reinterpret_cast<const std::uint8_t*>(&v4.sin_addr), bytes.size(), bytes.begin());
        return network::Address::from_v4(bytes);
    }
    std::array<std::uint8_t, 16> bytes{};
    const auto& v6 = reinterpret_cast<const sockaddr_in6&>(peer.addr);
    std::copy_n(v6.sin6_addr.s6_addr, bytes.size(), bytes.begin());
    return network::Address::from_v6(bytes);
}

}  // namespace

Post::Post(const destination::Url& to) : to_{to}, easy_{curl_easy_init()} {
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
    set(CURLOPT_OPENSOCKETFUNCTION, &open_allowed);
    set(CURLOPT_OPENSOCKETDATA, this);
    if (!to_.ca_file.empty()) set(CURLOPT_CAINFO, to_.ca_file.c_str());
}

void Post::prepare(std::size_t number, const std::vector<std::string>& lines, std::string_view body) {
    number_ = number;
    received_ = 0;
    has_answer_ = false;
    retry_after_.clear();
    forbidden_.clear();
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
    if (code == CURLE_COULDNT_CONNECT && !forbidden_.empty())
        return {Sent::How::failed,
                "its address " + forbidden_ + " is not public: name it under allow, if that is meant"};
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

curl_socket_t Post::open_allowed(void* post, curlsocktype, curl_sockaddr* peer) {
    auto& its = *static_cast<Post*>(post);
    const auto address = address_of(*peer);
    const auto has_it = [&](const network::Block& block) { return block.contains(address); };
    if (!network::is_public(address) && std::ranges::none_of(its.to_.allowed, has_it)) {
        its.forbidden_ = address.text();
        return CURL_SOCKET_BAD;
    }
    return ::socket(peer->family, peer->socktype | SOCK_CLOEXEC, peer->protocol);
}

}  // namespace sluice::consumer
