#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "command/config/definition.hpp"
#include "common/config/section.hpp"
#include "common/result.hpp"

namespace sluice::command {

/// The `commands:` of the configuration, compiled. Immutable, shared by all threads.
class CommandSet {
public:
    /// Problems name file and line: what read_definition refuses, two commands of one name.
    [[nodiscard]] static CommandSet read(const config::Document& document);

    /// nullptr: there is none of this name. Lives as long as the set.
    [[nodiscard]] const Definition* find(std::string_view name) const noexcept;
    [[nodiscard]] const std::vector<std::unique_ptr<const Definition>>& all() const noexcept { return all_; }
    /// Whether accounts of any of them may be hot.
    [[nodiscard]] bool has_hot() const noexcept;
    /// The longest that an effect may take.
    [[nodiscard]] Milliseconds longest_within() const noexcept;

    /// Whether the server takes their statements: as effects::EffectSet::check.
    [[nodiscard]] Result<std::vector<effects::Lack>> check(store::Connection& connection,
                                                           config::Problems& problems) const;

private:
    std::vector<std::unique_ptr<const Definition>> all_;
};

/// How commands are executed.
struct ExecutionSettings {
    int workers = 4;                     ///< threads, each with a session on MySQL
    int queue = 1000;                    ///< requests that may wait for a worker
    std::int64_t longest_body = 65'536;  ///< bytes of a request
};

/// Of the section `command`, whose other keys the caller reads.
[[nodiscard]] ExecutionSettings read_execution(config::Section& command);

}  // namespace sluice::command
