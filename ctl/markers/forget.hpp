#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "common/config/settings/connections.hpp"
#include "ctl/cli/json.hpp"

namespace sluice::ctl {

/// What one Redis held of an epoch's markers.
struct MarkersThere {
    std::string address;
    std::int64_t found = 0;
    std::int64_t forgotten = 0;
};

/// Walks all markers of `epoch` (record::marker_epoch) on one server, a thousand at a time, and deletes them
/// where `apply` says so; those that come meanwhile may stay. The error is a clause for people.
[[nodiscard]] std::expected<MarkersThere, std::string> walk_markers(const config::RedisSettings& settings,
                                                                    const config::RedisServer& server,
                                                                    const std::string& epoch, bool apply);

[[nodiscard]] Json to_json(const std::string& epoch, const std::vector<MarkersThere>& servers);
[[nodiscard]] std::string to_people(const std::vector<MarkersThere>& servers, bool apply);

}  // namespace sluice::ctl
