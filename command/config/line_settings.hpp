#pragma once

#include <string>

#include "common/config/section.hpp"
#include "common/config/settings/connections.hpp"

namespace sluice::command {

/// The way of hot commands through Kafka.
struct LineSettings {
    config::KafkaSettings kafka;  ///< `topic` is that of commands; so are the others, which are not used
    std::string group;            ///< of those who book
};

/// `topic` and `group` of the section `command`, and the section `kafka`, which is read only where some
/// command has `hot`.
[[nodiscard]] LineSettings read_line(const config::Document& document, config::Section& command, bool has_hot,
                                     config::Problems& problems);

}  // namespace sluice::command
