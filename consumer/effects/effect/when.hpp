#pragma once

#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/config/section.hpp"
#include "common/record/event_record.hpp"
#include "common/result.hpp"
#include "common/webhook/body/json_view.hpp"
#include "common/webhook/recipe/body_test.hpp"
#include "common/webhook/recipe/source.hpp"

namespace sluice::effects {

/// One key of a `when` beside one event, for people.
struct Condition {
    std::string_view key;  ///< source, provider, type, payment, body or trust
    std::string wanted;    ///< "paid or refunded"
    std::string has;       ///< what the event has; empty: nothing
    bool holds = false;
};

/// What an event has of which the kind of payment is not known: every kind may be.
inline constexpr std::string_view untold = "what cannot be told";

/// What is known of an event's body where effects are matched; nothing: not known, so whatever is asked may
/// be.
struct SaidByBody {
    std::optional<std::string_view> payment{};  ///< the kind (common/webhook/payment); empty: of none
    const webhook::JsonView* body = nullptr;
};

/// Which events an effect is for: every key that is given must hold, each for one value of its list. Events
/// whose signature covers less than what they say match only where `trust` names how far it does: the rest
/// could come from anyone. What was read from the provider's own list (api) is as good as signed. `fields`
/// lets parameters read what is not signed of an item (signed_reads.hpp).
class When {
public:
    /// Reads the mapping `when` of an effect. `source: X` stands for every source of X's provider and
    /// principal, since the copy of an event that came first may have come through another of them. Problems:
    /// none of source, provider, type and payment is given, an empty list, a source that does not exist or
    /// that the effect does not trust, `trust: api`, which is meant anyhow, a provider that no source has or
    /// of which it trusts none, and, where it names neither, that it trusts no source at all: what matches
    /// nothing would be ignored without a word; `trust: type` without types; a * that is not the end of a
    /// type, or all of it; `body` without any of the four.
    static When read(config::Section section, const webhook::SourceSet& sources);

    /// A test of the body that cannot be told counts as one that holds: the run says what is wrong.
    [[nodiscard]] bool matches(const record::EventHeaders& headers, const SaidByBody& said = {}) const;

    /// Why it matches or not: all that it asks of the event, which matches where each holds.
    [[nodiscard]] std::vector<Condition> conditions(const record::EventHeaders& headers,
                                                    const SaidByBody& said) const;

    struct Untold {
        const webhook::Pointer* at;
        std::error_code error;  ///< errc::duplicate_key or unreadable_body
    };
    /// Whether all tests of one line of `body` hold. False where none can, whatever cannot be told of others.
    [[nodiscard]] std::expected<bool, Untold> holds_in(const webhook::JsonView& body) const;
    /// Whether headers alone do not say if it matches.
    [[nodiscard]] bool asks_body() const noexcept { return is_for_payments() || !body_.empty(); }
    using BodyTests = std::vector<webhook::BodyTest>;
    [[nodiscard]] std::span<const BodyTests> body_tests() const noexcept { return body_; }
    [[nodiscard]] const config::Place& place_of_body() const noexcept { return place_of_body_; }

    [[nodiscard]] bool is_for_payments() const noexcept { return !payments_.empty(); }
    [[nodiscard]] bool is_for_payment(std::string_view kind) const;
    /// Whether events of this source can match, regardless of their type.
    [[nodiscard]] bool is_for(const webhook::Source& source) const;
    [[nodiscard]] bool trusts(std::string_view level) const;
    [[nodiscard]] bool trusts(const webhook::Source& source) const;
    /// The types that it names; empty: any.
    [[nodiscard]] const std::vector<std::string>& types() const noexcept { return types_; }

private:
    /// One of `sources`, which `key` stands for, has to be trusted. `claim` begins the problem otherwise.
    void check_trust(const webhook::SourceSet& sources, std::string_view key, const std::string& claim,
                     config::Section& section) const;

    [[nodiscard]] bool believes(const record::EventHeaders& headers) const;
    [[nodiscard]] Condition condition_of_body(const SaidByBody& said) const;
    /// Some source that it is for has to say what is asked for.
    void check_payments(const webhook::SourceSet& sources, config::Section& section);

    struct Account {
        std::string provider;
        std::string principal;

        [[nodiscard]] bool has(const record::EventHeaders& headers) const {
            return provider == headers.provider && principal == headers.principal;
        }
    };
    std::vector<Account> accounts_;       // empty: any
    std::vector<std::string> providers_;  // empty: any
    std::vector<std::string> types_;      // empty: any; with * at the end a prefix
    std::vector<std::string> payments_;   // empty: any, also none
    std::vector<BodyTests> body_;         // of one of them all must hold
    config::Place place_of_body_;
    std::vector<std::string> trusts_;  // besides what acts unnamed (webhook/recipe/trust.hpp)
};

}  // namespace sluice::effects
