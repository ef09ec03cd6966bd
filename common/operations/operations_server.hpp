#pragma once

#include <functional>
#include <memory>
#include <string>

#include "common/clock.hpp"
#include "common/telemetry/metrics.hpp"
#include "common/telemetry/readiness.hpp"

namespace sluice {

/// /livez, /readyz, /statusz and /metrics on their own port, served by one thread that waits for no client:
/// slow clients do not delay others. Beyond `most_clients` the oldest is dropped. /livez is 200 while `alive`
/// says so, else 503; /readyz is 200 or 503 with Readiness::report, /statusz that report with 200. Each
/// connection carries one request.
class OperationsServer {
public:
    static constexpr std::size_t most_clients = 64;

    struct Settings {
        std::string host;
        std::uint16_t port = 0;         ///< 0: any free port, see port()
        Milliseconds patience{10'000};  ///< with a client, from its connect to the last byte of its answer
        std::string key = "operations.address";  ///< of the configuration, where the address may be changed
    };

    /// Binds at once; throws std::runtime_error naming the address when that fails.
    OperationsServer(const Settings& settings, const Metrics& metrics, const Readiness& readiness,
                     std::function<bool()> alive);
    ~OperationsServer();  ///< stops listening and joins

    [[nodiscard]] std::uint16_t port() const noexcept;

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace sluice
