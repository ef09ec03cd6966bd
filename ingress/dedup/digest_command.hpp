#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/crypto/digest.hpp"

namespace sluice::dedup {

/// A Redis command that is always the same but for digests: encoded once (RESP2, "Arrays": a request is an
/// array of bulk strings), filled in place for each event. One thread.
class DigestCommand {
public:
    /// Stands in an argument for 64 hex digits.
    static constexpr std::string_view digest_here =
        "????????????????????????????????????????????????????????????????";

    DigestCommand() = default;
    /// No argument but a digest may hold 64 question marks in a row.
    explicit DigestCommand(std::initializer_list<std::string_view> arguments);

    /// The command with `digests` in their places, in order; as many as there are places. The bytes live
    /// until the next call.
    [[nodiscard]] std::string_view with(std::initializer_list<crypto::Digest> digests);

private:
    std::string bytes_;
    std::vector<std::size_t> places_;
};

}  // namespace sluice::dedup
