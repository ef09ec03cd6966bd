#pragma once

#include "common/record/event_record.hpp"
#include "common/webhook/recipe/source.hpp"
#include "consumer/command/execute/originals.hpp"
#include "consumer/record/record.hpp"

namespace sluice::consumer {

/// What a second check of a stored record's signature came to.
enum class Authentic {
    yes,
    no,       ///< the signature does not cover these bytes
    unknown,  ///< undecidable: the source or the key is no longer configured, the certificate is not
              ///< trusted or not at hand, the record is one event of a delivery whose whole body is not, or
              ///< the signature takes in what records do not keep
};

/// Verifies records again as the ingress did, under the configuration of today and the time of then. Anyone
/// who can write where records lie can turn a `no` into an `unknown` (by an unknown key id), so neither may
/// ever pass for `yes`.
///
/// Where the signature covers less than the body (sluice-trust), `yes` also means that the body still has the
/// content digest of its record: that shows a slip, not a forger, who can write the header too.
class Authenticity {
public:
    /// `sources` with their keys; both live as long as this. Without `originals`, every event of a delivery
    /// that is signed as a whole is `unknown`.
    explicit Authenticity(const webhook::SourceSet& sources, Originals* originals = nullptr)
        : sources_{sources}, originals_{originals} {}

    /// Of a record as it was polled. Thread-safe; blocks only for `originals`.
    [[nodiscard]] Authentic check(const Record& record) const;
    /// The same of one event of a delivery whose whole body is at hand.
    [[nodiscard]] Authentic check_item(const Record& record, std::string_view delivery) const;

private:
    [[nodiscard]] Authentic under(const webhook::Source& source, const record::EventHeaders& event,
                                  std::string_view value) const;

    const webhook::SourceSet& sources_;
    Originals* originals_;
};

}  // namespace sluice::consumer
