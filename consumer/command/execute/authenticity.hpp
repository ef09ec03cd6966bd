#pragma once

#include "common/record/event_record.hpp"
#include "common/webhook/recipe/source.hpp"
#include "consumer/command/execute/originals.hpp"
#include "consumer/record/record.hpp"

namespace sluice::consumer {

/// What a second look at a stored record's signature came to.
enum class Authentic {
    yes,
    no,       ///< the signature does not cover these bytes
    unknown,  ///< it cannot be told: the source or the key is configured no more, the certificate is not
              ///< trusted or not at hand, the record is one event of a delivery whose whole body is not, or
              ///< the signature takes in what records do not keep
};

/// Verifies records again as the ingress did, under the configuration of today and the time of then. Whoever
/// can write where records lie can make a `no` an `unknown` (a key's id that nobody knows), so neither is
/// ever to pass for `yes`.
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
