#pragma once

#include <utility>

#include "command/config/command_set.hpp"
#include "command/http/commands.hpp"

namespace sluice::command {

/// The commands of a file, as requests ask for them.
class ConfiguredCommands final : public Commands {
public:
    explicit ConfiguredCommands(CommandSet set) : set_{std::move(set)} {}

    [[nodiscard]] const CommandSet& set() const noexcept { return set_; }

    [[nodiscard]] bool exists(std::string_view name) const override { return set_.find(name) != nullptr; }
    [[nodiscard]] bool takes_key_from_body(std::string_view name) const override;
    [[nodiscard]] std::expected<std::string, std::string> key_of(std::string_view name,
                                                                 std::string_view body) const override;
    [[nodiscard]] std::expected<crypto::Digest, std::string> fingerprint(
        std::string_view name, std::string_view body) const override;
    [[nodiscard]] std::expected<std::optional<metering::Metered>, std::string> account(
        std::string_view name, std::string_view caller, std::string_view body) const override;
    [[nodiscard]] Milliseconds wait(std::string_view name) const override { return set_.find(name)->wait; }

private:
    CommandSet set_;
};

}  // namespace sluice::command
