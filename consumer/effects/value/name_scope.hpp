#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/config/section.hpp"
#include "consumer/effects/value/parameters.hpp"

namespace sluice::effects {

/// `let` of one effect while the rest of it is read: who uses which name; and the classes of cases that it
/// may end with.
class NameScope {
public:
    /// Reads `let` of an effect's section. `has_payment`: the facts of a payment are there too.
    NameScope(config::Section& effect, bool has_payment);
    /// With values that were read before, which need not be used and come first.
    NameScope(config::Section& effect, std::vector<Parameter> given);

    /// As find_parameter; what is found counts as used.
    [[nodiscard]] std::optional<std::size_t> find(std::string_view name);

    /// Whether the file's `let` has it. Uses nothing.
    [[nodiscard]] bool has_in_let(std::string_view name) const;

    /// A value that has no name in the file; returns its index. `name` is for messages, and can be no
    /// :name.
    std::size_t add(Parameter parameter);
    /// Events of other types have NULL there. False for a value that has a name: others may use it.
    [[nodiscard]] bool limit_to_types(std::size_t parameter, std::vector<std::string> types);

    /// Built in, of `let`, or a fact of the payment. It does not count as used.
    [[nodiscard]] bool knows(std::string_view name) const;
    /// The sentence for a :name that is not known.
    [[nodiscard]] std::string unknown(std::string_view name) const;

    /// A rule of the effect, which stands at `place`, says park:CLASS.
    void note_case(std::string case_class, const config::Place& place);
    struct Case {
        std::string case_class;
        config::Place place;
    };
    /// Each once, where it was said first.
    [[nodiscard]] const std::vector<Case>& cases() const noexcept { return cases_; }

    [[nodiscard]] const std::vector<Parameter>& let() const noexcept { return let_; }
    [[nodiscard]] bool has_payment() const noexcept { return has_payment_; }

    /// At the end: a name that nothing uses is a problem, unless the effect has others. What could not be
    /// read may use it.
    void complain_of_unused() const;
    [[nodiscard]] std::vector<Parameter> take() && { return std::move(let_); }

private:
    [[nodiscard]] std::vector<std::string> known() const;
    void read_let(const config::Value& let);

    bool has_payment_;
    std::optional<config::Value> value_;
    std::size_t problems_before_ = 0;
    std::vector<Parameter> let_;  ///< facts of payments are added as they are named
    std::vector<bool> used_;      ///< by index into `let_`, of its own entries
    std::vector<Case> cases_;
};

}  // namespace sluice::effects
