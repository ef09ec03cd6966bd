#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <curl/curl.h>

#include "common/network/guarded_socket.hpp"
#include "consumer/destination/destination.hpp"
#include "consumer/relay_role/sender.hpp"

namespace sluice::consumer {

/// A request to a URL, and the connection that it keeps for the next one. Certificates are verified,
/// redirects not followed; an address that is neither public nor allowed is not connected to, and of an
/// answer no more than its head and 64 KiB is read. One thread's.
class Post {
public:
    /// `to` outlives it. std::runtime_error where libcurl lacks what it needs.
    explicit Post(const destination::Url& to);
    Post(const Post&) = delete;
    Post& operator=(const Post&) = delete;
    ~Post() = default;

    /// The `number`-th message of a call. `lines` are its headers; `body` outlives the request.
    void prepare(std::size_t number, const std::vector<std::string>& lines, std::string_view body);
    [[nodiscard]] CURL* handle() const noexcept { return easy_.get(); }
    [[nodiscard]] std::size_t number() const noexcept { return number_; }
    /// What its end says of the message.
    [[nodiscard]] Sent outcome(CURLcode code) const;

private:
    struct ReleaseEasy {
        void operator()(CURL* handle) const noexcept { curl_easy_cleanup(handle); }
    };
    struct ReleaseList {
        void operator()(curl_slist* list) const noexcept { curl_slist_free_all(list); }
    };
    // What libcurl calls; the last argument is the Post.
    static std::size_t forget(char* bytes, std::size_t size, std::size_t count, void* post);
    static std::size_t note_header(char* line, std::size_t size, std::size_t count, void* post);

    const destination::Url& to_;
    network::GuardedSocket guard_;                      // used by the handle: goes after it
    std::unique_ptr<curl_slist, ReleaseList> headers_;  // the same
    std::unique_ptr<CURL, ReleaseEasy> easy_;
    std::size_t number_ = 0;
    std::size_t received_ = 0;
    bool has_answer_ = false;  ///< a status line of this request
    std::string retry_after_;
};

}  // namespace sluice::consumer
