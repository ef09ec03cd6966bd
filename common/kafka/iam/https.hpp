#pragma once

#include <expected>
#include <stop_token>
#include <string>

#include "common/secret.hpp"

namespace sluice::kafka::iam {

struct Request {
    std::string url;
    Secret authorization;  ///< header; empty: none
    Secret form;           ///< body of a POST; empty: a GET
};

/// The body of an answer with status 200, or why there is none: never what the other side wrote. Takes 3 s
/// and 64 KiB at most, follows no redirects, uses no proxy, and gives up within a second once `stop` is
/// requested.
[[nodiscard]] std::expected<Secret, std::string> ask(const Request& request, const std::stop_token& stop);

}  // namespace sluice::kafka::iam
