#pragma once

#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "common/clock.hpp"
#include "common/webhook/recipe/source.hpp"
#include "ctl/send/signing/outgoing_request.hpp"
#include "ctl/send/signing/signing_key.hpp"

namespace sluice::ctl {

/// Signs as the source's provider does: the recipe in reverse. The engine that checks signatures also
/// collects the text to sign, so only what a message lacks is made up here. For sample traffic; no tier
/// links it.
class Signer {
public:
    /// Changes a signature, as it is written, before it is put into the request.
    using Rewrite = std::function<std::string(std::string)>;

    Signer(std::shared_ptr<const webhook::Source> source, SigningKey key)
        : source_{std::move(source)}, key_{std::move(key)} {}

    /// What a delivery carries besides its body and has not been given yet: the time, ids of the message, the
    /// id of the key, fixed texts, the certificate. The error is a clause that says why that cannot be
    /// signed.
    [[nodiscard]] std::expected<void, std::string> sign(OutgoingRequest& request, WallTime now,
                                                        const Rewrite& rewrite = {}) const;

    /// The same without a signature.
    void complete(OutgoingRequest& request, WallTime now) const;

    [[nodiscard]] const webhook::Source& source() const noexcept { return *source_; }
    [[nodiscard]] Signer with_key(SigningKey key) const { return {source_, std::move(key)}; }
    [[nodiscard]] const SigningKey& key() const noexcept { return key_; }

private:
    /// What belongs into a slot, where the source, the key or the clock says it.
    [[nodiscard]] std::optional<std::string> known_text(std::uint8_t slot, WallTime now) const;
    [[nodiscard]] std::expected<void, std::string> sign_items(OutgoingRequest& request,
                                                              const Rewrite& rewrite) const;

    std::shared_ptr<const webhook::Source> source_;
    SigningKey key_;
};

}  // namespace sluice::ctl
