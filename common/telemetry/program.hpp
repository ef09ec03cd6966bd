#pragma once

#include <string>
#include <string_view>

namespace sluice {

/// Which program a part runs in that several programs have. Both live as long as the process.
struct Program {
    std::string_view name;     ///< "sluice-ingress": what Kafka's brokers see
    std::string_view metrics;  ///< "sluice_ingress": what its series begin with

    /// The name of one of its series: "sluice_ingress_queued_bytes" of "queued_bytes".
    [[nodiscard]] std::string metric(std::string_view what) const {
        return std::string{metrics}.append("_").append(what);
    }
};

inline constexpr Program ingress_program{"sluice-ingress", "sluice_ingress"};

}  // namespace sluice
