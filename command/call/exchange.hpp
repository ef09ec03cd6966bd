#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <curl/curl.h>

#include "command/config/call_definition.hpp"
#include "command/request/answer.hpp"
#include "common/network/guarded_socket.hpp"

namespace sluice::command {

/// What one request to the service came to.
struct Exchanged {
    enum class How : std::uint8_t {
        answered,  ///< wholly
        not_sent,  ///< no byte of the request left
        unknown    ///< it left, and no whole answer came
    };
    How how = How::unknown;
    Response response{};  ///< of answered
    std::string why{};    ///< of the others
};

/// Requests to the service that executes a command, each once and over a connection of its own: libcurl sends
/// a request again by itself where a kept connection turns out to be closed. Certificates are verified,
/// redirects not followed, an address that is neither public nor allowed is not connected to. An answer of
/// more than 64 KiB is none, nor is one that ends with its connection: it may have been cut. Blocks for the
/// definition's `within`. One thread's.
class Exchange {
public:
    using Lines = std::vector<std::string>;

    /// `call` outlives it. std::runtime_error where libcurl lacks what it needs.
    explicit Exchange(const CallDefinition& call);

    /// `lines` are headers.
    [[nodiscard]] Exchanged post(const Lines& lines, std::string_view body);
    [[nodiscard]] Exchanged get(const std::string& url, const Lines& lines);

private:
    struct ReleaseEasy {
        void operator()(CURL* handle) const noexcept { curl_easy_cleanup(handle); }
    };
    struct ReleaseList {
        void operator()(curl_slist* list) const noexcept { curl_slist_free_all(list); }
    };
    /// What libcurl calls; the last argument is the Exchange.
    static std::size_t take_body(char* bytes, std::size_t size, std::size_t count, void* exchange);

    template <class Value>
    void set(CURLoption option, Value value);
    [[nodiscard]] Exchanged run(const std::string& url, const Lines& lines);
    [[nodiscard]] Exchanged judged(CURLcode end);

    const CallDefinition& call_;
    network::GuardedSocket guard_;  // used by the handle: goes after it
    std::unique_ptr<CURL, ReleaseEasy> easy_;
    std::string body_;
};

}  // namespace sluice::command
