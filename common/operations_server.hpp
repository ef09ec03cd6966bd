#pragma once

#include <functional>
#include <memory>
#include <string>

#include "common/metrics.hpp"
#include "common/readiness.hpp"

namespace sluice {

/// /livez, /readyz, /statusz and /metrics on a port of their own, served by threads of its own.
/// /livez is 200 while `alive` says so, else 503; /readyz is 200 or 503 with Readiness::report, /statusz that
/// report with 200.
class OperationsServer {
public:
    struct Settings {
        std::string host;
        std::uint16_t port = 0;  ///< 0: any free port, see port()
    };

    /// Binds at once; throws std::runtime_error naming the address when that fails.
    OperationsServer(Settings settings, const Metrics& metrics, const Readiness& readiness,
                     std::function<bool()> alive);
    ~OperationsServer();  ///< stops listening and joins

    [[nodiscard]] std::uint16_t port() const noexcept;

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace sluice
