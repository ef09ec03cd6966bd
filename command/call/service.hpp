#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "command/call/exchange.hpp"
#include "command/record/call_record.hpp"
#include "command/request/request.hpp"
#include "common/clock.hpp"
#include "common/secret.hpp"

namespace sluice::command {

/// The service that executes a command, as a thread talks to it. Each request carries `idempotency-key` (64
/// hex digits), `sluice-command`, `sluice-fence`, `traceparent` where the caller sent one, and
/// the signature of Standard Webhooks where there are keys. One thread's.
class Service {
public:
    /// All outlive it.
    Service(std::string_view command, const CallDefinition& call, std::span<const Secret> keys,
            const Clock& clock)
        : command_{command}, call_{call}, keys_{keys}, clock_{clock}, exchange_{call} {}

    [[nodiscard]] Exchanged call(const Claim& claim, const Request& request);
    /// What became of it. The definition has a query.
    [[nodiscard]] Exchanged ask(const Claim& claim, std::string_view traceparent);

private:
    [[nodiscard]] Exchange::Lines headers(const Claim& claim, std::string_view traceparent,
                                          std::string_view body) const;

    const std::string command_;
    const CallDefinition& call_;
    const std::span<const Secret> keys_;
    const Clock& clock_;
    Exchange exchange_;
};

}  // namespace sluice::command
