#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ctl/send/signing/signer.hpp"

namespace sluice::ctl {

/// What is wrong with a delivery that must be refused.
enum class Forgery : std::uint8_t {
    changed_body,        ///< after it was signed
    wrong_signature,     ///< one letter of it is another
    no_signature,        ///< none at all
    other_key,           ///< signed correctly, with another key
    repeated_signature,  ///< the right one, twice: readers differ in which of two they take
    wrong_encoding,      ///< the right bytes in the other of hex and base64
    from_the_future,     ///< signed correctly, for a time beyond the window
    other_account,       ///< signed correctly, for another account, merchant or app
    probe,               ///< what a provider sends to test whether the receiver checks
};

[[nodiscard]] std::string_view name_of(Forgery forgery) noexcept;  ///< "changed-body"
[[nodiscard]] std::optional<Forgery> forgery_from(std::string_view name) noexcept;
[[nodiscard]] std::vector<std::string> forgery_names();

/// Those that this source can be sent and must refuse: nothing is changed that the signature does not cover.
[[nodiscard]] std::vector<Forgery> forgeries_for(const webhook::Source& source);

/// Signs `request` and spoils it. The error is as Signer::sign's.
[[nodiscard]] std::expected<void, std::string> forge(OutgoingRequest& request, Forgery forgery,
                                                     const Signer& signer, WallTime now);

}  // namespace sluice::ctl
