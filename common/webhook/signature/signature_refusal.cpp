#include "common/webhook/signature/signature_refusal.hpp"

#include <array>
#include <format>

#include "common/webhook/signature/refusal_detail.hpp"

namespace sluice::webhook {

namespace {

struct Words {
    std::string_view name;      ///< log, metric
    std::string_view sentence;  ///< for people, after the header's name
};

/// In the order of Check.
constexpr std::array words{
    Words{"missing_header", "the header is missing"},
    Words{"repeated_header", "the header appears more than once"},
    Words{"header_too_long", "the header is too long"},
    Words{"header_grammar", "the header cannot be parsed"},
    Words{"body_grammar", "the body cannot be parsed, or a field has an invalid value"},
    Words{"missing_field", "the parameter or field is missing"},
    Words{"repeated_field", "the parameter or field appears more than once"},
    Words{"missing_timestamp", "the timestamp is missing"},
    Words{"repeated_timestamp", "there is more than one timestamp"},
    Words{"timestamp_grammar", "the timestamp is not plain digits"},
    Words{"too_old", "the timestamp is too old"},
    Words{"too_new", "the timestamp is too far in the future"},
    Words{"probe", "the signature is wrong on purpose: the provider tests whether it is refused"},
    Words{"no_signature", "there is no signature of an accepted version"},
    Words{"too_many_signatures", "there are too many signatures"},
    Words{"signature_encoding", "no signature has the right length and alphabet"},
    Words{"certificate", "this source does not trust the certificate"},
    Words{"unknown_key", "it names a key that this source does not have"},
    Words{"no_live_key", "every key of the source is outside its validity window"},
    Words{"signature_mismatch", "no live key matches any of the signatures"},
    Words{"not_bound", "the field does not have the configured value"},
};
static_assert(words.size() == static_cast<std::size_t>(Check::not_bound) + 1);

const Words& words_for(Check check) noexcept {
    return words[static_cast<std::size_t>(check)];
}

}  // namespace

std::string_view name_of(Check check) noexcept {
    return words_for(check).name;
}

std::string Refusal::sentence() const {
    std::string text(header);
    if (!text.empty()) text += ": ";
    text += words_for(check).sentence;
    if (!detail.empty()) text += ": " + detail;
    return text;
}

std::string detail_of(const Finding& finding, const Program& program) {
    switch (finding.check) {
        case Check::too_old:
            return std::format("{} s old, at most {} s are allowed", finding.figure,
                               program.window->past.count());
        case Check::too_new:
            return std::format("{} s ahead, at most {} s are allowed", finding.figure,
                               program.window->future.count());
        case Check::header_too_long:
            return std::format("{} bytes, at most {} are allowed", finding.figure, program.signature.longest);
        case Check::repeated_header:
        case Check::repeated_field:
        case Check::repeated_timestamp:
            return finding.figure == 0 ? std::string{} : std::format("{} times", finding.figure);
        case Check::too_many_signatures:
            return std::format("{}, at most {} are allowed", finding.figure, program.signature.most);
        case Check::signature_encoding:
            return std::format("{} looked at", finding.figure);
        case Check::signature_mismatch:
            if (program.certificate) return "the certificate's key was tried";
            return std::format("{} of {} keys are live and were tried", finding.figure, program.keys.size());
        default:
            return {};
    }
}

}  // namespace sluice::webhook
