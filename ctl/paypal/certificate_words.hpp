#pragma once

#include <optional>
#include <string>

#include "common/clock.hpp"
#include "common/webhook/signature/certificate_belief.hpp"
#include "ctl/cli/json.hpp"

namespace sluice::ctl {

/// The common names of the first certificate's subject, with commas between them.
[[nodiscard]] std::string subject_of(const crypto::Certificates& certificates);

/// Why it is not believed, as a clause for people.
[[nodiscard]] std::string why_not(const webhook::Disbelief& disbelief,
                                  const crypto::Certificates& certificates,
                                  const webhook::CertificateTrust& trust);

/// Whole days; negative once it is over.
[[nodiscard]] std::string days_left(std::optional<WallTime> not_after, WallTime now);

/// "2044-12-31T23:59:59Z"; empty without a time.
[[nodiscard]] std::string second_of(std::optional<WallTime> time);

/// `subject`, `not_after` and `days_left`, null where they are not known.
void add_certificate(Json& line, const std::string& subject, std::optional<WallTime> not_after, WallTime now);

}  // namespace sluice::ctl
