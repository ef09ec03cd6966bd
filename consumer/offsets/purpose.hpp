#pragma once

#include <string>
#include <string_view>

namespace sluice::consumer {

/// What is made of the records that a member reads.
enum class Purpose {
    apply,   ///< what is not read is not applied
    record,  ///< what is not read is missing from the record of callbacks
};

/// The name of a metric that both have: alarms of one are not about the other.
[[nodiscard]] inline std::string metric_of(Purpose purpose, std::string_view name) {
    return std::string{"sluice_consumer_"}
        .append(purpose == Purpose::record ? "callbacks_" : "")
        .append(name);
}

}  // namespace sluice::consumer
