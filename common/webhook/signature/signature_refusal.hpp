#pragma once

#include <string>
#include <string_view>

namespace sluice::webhook {

/// Which check refused a request, in the order they are made: cheap ones first. The provider sees
/// one wording for all of them; the log, the metric and `sluicectl verify` see the check.
enum class Check {
    missing_header,   ///< a header that takes part is absent
    repeated_header,  ///< a header that takes part is there twice
    header_too_long,  ///< more than the recipe's bound
    header_grammar,   ///< the signature header does not parse
    body_grammar,     ///< a form that does not parse, or a field that holds what it cannot
    missing_field,    ///< a parameter or a field that takes part is absent
    repeated_field,   ///< a parameter or a field that takes part is there twice
    missing_timestamp,
    repeated_timestamp,
    timestamp_grammar,  ///< anything but plain digits of the expected number
    too_old,            ///< timestamp before now - tolerance
    too_new,            ///< timestamp after now + tolerance
    probe,              ///< wrong on purpose: the provider tests whether we check
    no_signature,       ///< no signature of an accepted version
    too_many_signatures,
    signature_encoding,  ///< not one candidate has the length and alphabet of a signature
    certificate,         ///< the certificate that the request brings or names is none to be trusted
    unknown_key,         ///< the request names a key that the source does not have
    no_live_key,         ///< every key of the source is outside its validity window
    signature_mismatch,  ///< no candidate equals what any live key gives
    not_bound,  ///< a field says something else than the configuration: another account, another scheme
};

[[nodiscard]] std::string_view name_of(
    Check check) noexcept;  ///< "signature_mismatch"; closed set, a metric label

/// Never holds what was expected, nor a secret.
struct Refusal {
    Check check;
    std::string_view
        header;  ///< the recipe's name of the header concerned; empty when none. Lives as long as the source.
    [[nodiscard]] std::string sentence()
        const;           ///< for people: "Stripe-Signature: timestamp is 412 s old, …"
    std::string detail;  ///< free of secrets; empty on the hot path unless asked for
};

}  // namespace sluice::webhook
