#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/clock.hpp"
#include "common/result.hpp"
#include "ctl/traffic/body_template.hpp"
#include "ctl/traffic/plan.hpp"
#include "ingress/verify/source.hpp"

namespace sluice::ctl {

using RequestHeaders = std::vector<std::pair<std::string, std::string>>;

/// What a request says, read from its body: enough to compare sums with a ledger.
struct Facts {
    std::string id;  ///< id, type and object as the source's recipe reads them; empty where it cannot
    std::string type;
    std::string object;
    std::string customer;     ///< empty without one
    std::int64_t amount = 0;  ///< minor units that the event moves: the payment's, or what this refund adds
                              ///< to the running total
};

[[nodiscard]] Facts facts_of(const verify::Source& source, const std::string& body);

/// Makes bodies. One per thread, since templates are parsed once.
class BodyMaker {
public:
    struct Settings {
        std::optional<std::string> own_body;  ///< --body: in place of the samples
        bool own_body_as_it_is = false;       ///< byte for byte; else each event gets its id
        std::vector<Edit> edits;
    };

    explicit BodyMaker(Settings settings);

    /// As Stripe prints them, with two spaces of indent. A duplicate says that fewer deliveries are
    /// pending, as real ones do: the content digest must not see that.
    [[nodiscard]] std::string make(const SampleEvent& event, Kind kind) const;

private:
    [[nodiscard]] Json of_sample(const SampleEvent& event, Kind kind) const;
    [[nodiscard]] Json of_own_body(const SampleEvent& event) const;

    Settings settings_;
    std::vector<std::pair<std::string, Json>> templates_;  // by type
    std::optional<Json> own_body_;                         // where it is JSON
};

/// Signs `body` for `kind` at `now`; a stale one as of `stale_by` earlier. A forged one is, in turn by
/// `variation`, changed after it was signed, signed wrongly, or not signed at all.
[[nodiscard]] Result<RequestHeaders> sign_as(Kind kind, const verify::Source& source, std::string& body,
                                             WallTime now, std::chrono::seconds stale_by,
                                             std::size_t variation);

}  // namespace sluice::ctl
