#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "common/clock.hpp"
#include "common/crypto/digest.hpp"
#include "common/metering/meters.hpp"

namespace sluice::command {

/// The commands of the configuration, as far as a request is concerned. Any thread; never blocks. All but
/// `exists` are asked of names that exist.
class Commands {
public:
    Commands() = default;
    Commands(const Commands&) = delete;
    Commands& operator=(const Commands&) = delete;
    virtual ~Commands() = default;

    [[nodiscard]] virtual bool exists(std::string_view name) const = 0;
    [[nodiscard]] virtual bool takes_key_from_body(std::string_view name) const = 0;
    /// Made of the body's fields: 1 to 255 bytes, and is_key. The error is a sentence for the caller that
    /// repeats no byte of the body.
    [[nodiscard]] virtual std::expected<std::string, std::string> key_of(std::string_view name,
                                                                         std::string_view body) const = 0;
    /// Of what is asked. The error is as that of `key_of`.
    [[nodiscard]] virtual std::expected<crypto::Digest, std::string> fingerprint(
        std::string_view name, std::string_view body) const = 0;
    /// Whose limit a request of the caller counts under; nullopt: there is none. The error is as that of
    /// `key_of`.
    [[nodiscard]] virtual std::expected<std::optional<metering::Metered>, std::string> account(
        std::string_view name, std::string_view caller, std::string_view body) const = 0;
    /// How long a request waits for its response.
    [[nodiscard]] virtual Milliseconds wait(std::string_view name) const = 0;
};

}  // namespace sluice::command
