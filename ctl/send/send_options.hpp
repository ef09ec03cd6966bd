#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ctl/cli/options.hpp"
#include "ctl/send/traffic/plan.hpp"

namespace sluice::ctl {

/// The options of `sluicectl send`.
struct SendOptions {
    CommonOptions common;
    std::string source;
    std::string provider;
    std::string url;
    std::vector<std::string> types;
    std::vector<std::string> edits;
    std::vector<std::string> headers;
    std::vector<std::string> bad;
    std::string body_file;
    std::string signing_key_file;
    std::string certificate_file;
    Mix mix{.events = 1};
    std::size_t customers = 20;
    double rate = 0;
    std::size_t threads = 8;
    std::optional<std::uint64_t> seed;
    double timeout = 10;
    bool retry = false;
    int attempts = 10;
    std::int64_t stale_by = 600;
    std::string ca_file;
    std::string events_file;
    std::string save_folder;
    bool allow_remote = false;
    bool quiet = false;
};

/// All of them but --config and the form of the output.
void add_send_options(CLI::App& command, SendOptions& options);

}  // namespace sluice::ctl
