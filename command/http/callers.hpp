#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "command/http/certificate_name.hpp"
#include "common/clock.hpp"
#include "common/config/section.hpp"
#include "common/metering/meters.hpp"
#include "common/webhook/recipe/source.hpp"
#include "common/webhook/signature/verify.hpp"

namespace sluice::command {

/// The header in which a caller says who it is. Not signed: the signature shows who it is.
inline constexpr std::string_view caller_header = "sluice-caller";

/// What a caller signs in place of the body, so that a signature is of no use at another path, with another
/// method or for another key: "<method> <target>\n<value of Idempotency-Key>\n<body>". This is all before the
/// body.
[[nodiscard]] std::string signed_prefix(std::string_view method, std::string_view target,
                                        std::string_view key_field);

/// One entry of `callers`. Immutable.
struct Caller {
    std::string name;
    std::string principal;
    std::shared_ptr<const webhook::Source> signature;  ///< what the recipe engine checks; null: none
    std::optional<CertificateName> certificate;        ///< who has no signature is known by this
    std::optional<metering::Metered> limit;            ///< of all its requests; nullopt: none
};
using CallerSet = std::vector<Caller>;

/// Who may send commands. Immutable.
class Callers {
public:
    explicit Callers(CallerSet callers) : callers_{std::move(callers)} {}

    /// Who asks. Name and certificate are what the request came with: no name stands for the one caller that
    /// the certificate is of.
    struct Claim {
        std::string_view name;
        const connection::PeerCertificate* certificate;  ///< verified; nullptr: none
    };

    /// The caller that signed, or has the certificate; nullptr where none has that name, or neither is its.
    /// Whoever is refused was checked against some caller's keys, so that it takes as long. `request.body` is
    /// what was signed. Lives as long as this.
    [[nodiscard]] const Caller* authenticate(const Claim& claim, const webhook::Request& request,
                                             WallTime now, webhook::Scratch& scratch) const;

    /// Whose request it says to be, which anybody can say; nullptr: none's.
    [[nodiscard]] const Caller* claimed_by(const Claim& claim) const;

private:
    CallerSet callers_;
};

/// Reads `callers:`, a list of {name, principal, recipe: standard-webhooks, keys, tolerance, limit} and
/// {name, principal, certificate, limit}. Problems: another recipe, no tolerance, a principal that is too
/// long, a name given twice, a key or a certificate that two callers share, none at all.
[[nodiscard]] CallerSet read_callers(const config::Document& document, config::Problems& problems);

}  // namespace sluice::command
