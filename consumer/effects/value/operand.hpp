#pragma once

#include <cstddef>
#include <memory_resource>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/config/section.hpp"
#include "common/record/event_record.hpp"
#include "common/result.hpp"
#include "consumer/effects/value/event_fields.hpp"
#include "consumer/effects/value/name_scope.hpp"
#include "consumer/effects/value/parameters.hpp"
#include "consumer/store/driver/connection.hpp"

namespace sluice::effects {

/// Where a value of a statement comes from: ":name", "-:name", a literal or null.
struct Operand {
    enum class Kind { null, literal, parameter, built_in };
    Kind kind = Kind::null;
    std::string text;           ///< of a literal (sent as text), or a built-in's name
    std::size_t parameter = 0;  ///< index into `let`
    bool is_negative = false;   ///< numbers only

    bool operator==(const Operand&) const = default;
    /// The same for every event.
    [[nodiscard]] bool is_constant() const noexcept { return kind == Kind::null || kind == Kind::literal; }
};

/// What an event gives to an effect: the values of its `let`, and its headers.
struct EventValues {
    std::span<const store::Datum> let;
    const record::EventHeaders& headers;
    const EventBody* body = nullptr;  ///< whole; not where a batch decides
};

/// A value that is made out of others: a message's body.
class MadeValue {
public:
    virtual ~MadeValue() = default;
    /// `event.let` has the entries before this one. Views lie in `made`.
    [[nodiscard]] virtual Result<store::Datum> make(const EventValues& event,
                                                    std::pmr::memory_resource& made) const = 0;
    /// Whether it holds the whole body, unsigned parts included.
    [[nodiscard]] virtual bool has_whole_body() const noexcept { return false; }
};

/// What :name stands for; nullopt when nothing does.
[[nodiscard]] std::optional<Operand> operand_named(const std::string& name, NameScope& names);

/// What is wrong goes to the value's problems: an unknown :name, a minus before what is no number.
[[nodiscard]] Operand read_operand(const config::Value& value, NameScope& names);

/// Of what type the value is; nullopt for null and literals, whose columns decide.
[[nodiscard]] std::optional<ParameterType> type_of(const Operand& operand, std::span<const Parameter> let);

/// May be NULL: null itself, an optional parameter, :object and :occurred_at.
[[nodiscard]] bool may_be_null(const Operand& operand, std::span<const Parameter> let);

/// errc::out_of_range for the one number that has no negative.
[[nodiscard]] Result<store::Datum> value_of(const Operand& operand, const EventValues& event);

}  // namespace sluice::effects
