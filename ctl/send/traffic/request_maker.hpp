#pragma once

#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/clock.hpp"
#include "common/webhook/recipe/source.hpp"
#include "ctl/send/signing/forgery.hpp"
#include "ctl/send/signing/outgoing_request.hpp"
#include "ctl/send/signing/signer.hpp"
#include "ctl/send/traffic/body_template.hpp"
#include "ctl/send/traffic/plan.hpp"
#include "ctl/send/traffic/sample.hpp"

namespace sluice::ctl {

/// What a request says: enough to compare sums with a ledger.
struct Facts {
    std::string id;  ///< id, type and object as the source's recipe reads them; empty where it cannot
    std::string type;
    std::string object;
    std::vector<std::string> other_ids{};  ///< of a delivery with several events: those of the second and on
    std::string customer;                  ///< of Stripe's bodies; empty without one
    std::int64_t amount = 0;  ///< of Stripe's bodies, minor units that the event moves: the payment's, or
                              ///< what this refund adds to the running total
};

[[nodiscard]] Facts facts_of(const webhook::Source& source, const OutgoingRequest& request);

/// One `--header NAME=VALUE`. Throws Stopped(usage).
[[nodiscard]] RequestHeaders::value_type header_from_text(const std::string& text);

/// Makes requests that lack nothing but what a signature needs. One per thread, since samples are parsed
/// once.
class RequestMaker {
public:
    struct Settings {
        std::shared_ptr<const webhook::Source> source;
        std::string path;                     ///< of the endpoint
        std::optional<std::string> own_body;  ///< --body: instead of the samples
        bool own_body_as_it_is = false;       ///< byte for byte; else each event gets its id
        std::vector<Edit> edits;
        RequestHeaders headers;  ///< --header: instead of a sample's
    };

    explicit RequestMaker(Settings settings);

    /// JSON with two spaces of indent, as Stripe prints it. A duplicate of Stripe's says that fewer
    /// deliveries are pending, as real ones do: the content digest must not see that. Throws Stopped(usage)
    /// for an edit that does not fit.
    [[nodiscard]] OutgoingRequest make(const SampleEvent& event, Kind kind) const;

    /// The pointers of edits that no body of `types` has a place for: maybe misspelt.
    [[nodiscard]] std::vector<std::string> added(const std::vector<std::string>& types) const;

private:
    [[nodiscard]] Values values_for(const SampleEvent& event) const;
    [[nodiscard]] OutgoingRequest of_sample(const EventSample& sample, const SampleEvent& event,
                                            Kind kind) const;
    [[nodiscard]] std::string own_body_for(const SampleEvent& event) const;

    Settings settings_;
    const std::vector<EventSample>* samples_;
    std::optional<Json> own_body_;  // where it is JSON
};

/// Signs `request` for `kind` at `now`; a stale one as of `stale_by` earlier, a forged one spoiled by
/// `forgery`.
[[nodiscard]] std::expected<void, std::string> sign_as(Kind kind, OutgoingRequest& request,
                                                       const Signer& signer, WallTime now,
                                                       std::chrono::seconds stale_by, Forgery forgery);

}  // namespace sluice::ctl
