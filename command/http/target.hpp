#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "command/request/request.hpp"

namespace sluice::command {

/// What a path names: a command, or one key of it.
struct Target {
    std::string name;
    std::optional<std::string> key{};

    bool operator==(const Target&) const = default;
};

/// Of /v1/commands/<name> and /v1/commands/<name>/<key>, whose key is percent-decoded; nothing where there is
/// no such resource. Names are compared byte for byte, so nothing in them is decoded. Pure.
[[nodiscard]] std::optional<Target> read_target(std::string_view path);

/// The path that names the key.
[[nodiscard]] std::string path_of(const Key& key);

}  // namespace sluice::command
