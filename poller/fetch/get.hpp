#pragma once

#include <cstddef>
#include <expected>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "common/clock.hpp"
#include "common/network/address.hpp"
#include "common/secret.hpp"
#include "poller/fetch/answer.hpp"

namespace sluice::poller {

/// A provider's server, and how it is reached.
struct Api {
    /// Scheme and authority: https://api.stripe.com. Without TLS to addresses of `allowed` alone.
    std::string url;
    std::vector<network::Block> allowed;  ///< of what is not public (common/network/guarded_socket.hpp)
    std::string ca_file;                  ///< empty: the system's
    std::string proxy;                    ///< http://host:port; empty: none, whatever the environment says
    Milliseconds timeout{30'000};         ///< of one request
    std::size_t most_bytes = std::size_t{32} * 1024 * 1024;  ///< of the body of a success
};

struct ApiRequest {
    std::string target;                                   ///< path and query: begins with /
    std::vector<std::pair<std::string, Secret>> headers;  ///< beside User-Agent and Accept
};

struct Answer {
    AnswerHead head;       ///< of any status; redirects are not followed
    std::string body;      ///< of a success whole; else its first 64 KiB at most, to say what is wrong
    Milliseconds took{0};  ///< from the request to the end of the answer
};

/// Why there is no answer.
struct NoAnswer {
    enum class Why {
        unreachable,  ///< none, not in time, cut, or not from who it should be
        too_long,     ///< a success of more than `most_bytes`
        stopped,      ///< by the caller
    } why;
    std::string reason;  ///< a sentence; nothing of the request or the answer is in it
};

/// GET requests to one server, and the connection that is kept for the next one. Certificates are verified
/// and an address that is neither public nor allowed is not connected to. One thread's.
class Get {
public:
    /// `api` outlives it. std::runtime_error where libcurl lacks what it needs.
    explicit Get(const Api& api);
    ~Get();
    Get(const Get&) = delete;
    Get& operator=(const Get&) = delete;

    /// Blocks, for `timeout` at most; within a second after a stop was asked for it ends.
    /// std::invalid_argument for a target or a header that HTTP does not allow: the sentence does not say
    /// which bytes.
    [[nodiscard]] std::expected<Answer, NoAnswer> ask(const ApiRequest& request,
                                                      const std::stop_token& stop = {});

private:
    class Transfer;
    std::unique_ptr<Transfer> transfer_;
};

}  // namespace sluice::poller
