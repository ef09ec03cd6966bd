#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/clock.hpp"
#include "common/webhook/recipe/certificate_rule.hpp"
#include "ctl/cli/json.hpp"

namespace sluice::ctl {

/// One file of a folder of certificates.
struct Holding {
    std::string file;
    std::string subject{};
    std::optional<WallTime> not_after{};  ///< of the whole chain where it is trusted, else of the leaf
    std::string why{};                    ///< why it is not trusted at that moment; empty: it is
};

/// What a file holds whose certificates are these.
[[nodiscard]] Holding holding_of(std::string file, const crypto::Certificates& certificates,
                                 const webhook::CertificateTrust& trust, WallTime now);

/// `unreadable` are files that hold no certificates. In order of names; pure.
[[nodiscard]] std::vector<Holding> holdings_of(const webhook::CertificateTrust& trust,
                                               const std::vector<std::string>& unreadable, WallTime now);

/// `subject`, `not_after` and `days_left` of a row, null where they are not known.
void add_certificate(Json& row, const Holding& holding, WallTime now);
/// The cells SUBJECT, NOT AFTER, DAYS LEFT.
void add_certificate(std::vector<std::string>& row, const Holding& holding, WallTime now);

[[nodiscard]] Json to_json(const std::vector<Holding>& holdings, WallTime now);
[[nodiscard]] std::string to_people(const std::vector<Holding>& holdings, WallTime now);

}  // namespace sluice::ctl
