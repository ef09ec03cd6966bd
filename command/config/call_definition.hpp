#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/clock.hpp"
#include "common/config/section.hpp"
#include "common/network/address.hpp"

namespace sluice::command {

/// How to find out what became of a call whose outcome is not known: a GET.
struct CallQuery {
    std::string url;          ///< with :key, which becomes the idempotency key
    std::vector<int> found;   ///< statuses of an answer that is the first response
    std::vector<int> absent;  ///< statuses that say: it was not done, and never will be under an older fence
};

/// `call:` of a command: the service that executes it.
struct CallDefinition {
    enum class Record : std::uint8_t { mysql, redis };

    std::string url{};
    std::vector<config::SecretReference> secrets{};  ///< of Standard Webhooks; all sign
    std::vector<network::Block> allowed{};           ///< of what is not public
    std::string ca_file{};                           ///< empty: the system's
    Milliseconds within{5'000};                      ///< of one request, either one
    Milliseconds lease{30'000};                      ///< for so long nobody else goes on with it
    int concurrency = 16;                            ///< calls at once, of one process
    Record record = Record::mysql;
    std::vector<int> not_executed{429};  ///< statuses that say that nothing was done; always has 429
    std::vector<int> unknown{408, 425};  ///< statuses that do not say whether it was done; always has these
    std::optional<CallQuery> query{};
};

/// What is wrong goes to the section's problems.
[[nodiscard]] std::unique_ptr<const CallDefinition> read_call(config::Section section);

}  // namespace sluice::command
