#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/record/event_record.hpp"
#include "common/result.hpp"
#include "common/webhook/body/json_view.hpp"
#include "consumer/effects/outcome/outcome.hpp"
#include "consumer/effects/value/conversion.hpp"
#include "consumer/store/driver/connection.hpp"

/// What a rule in C++ is made of: docs/handlers.md.
namespace sluice::effects {

/// A value that a handler wants of each event: a name of its effect's `let`, a fact of the payment, or what
/// every event has.
struct Need {
    std::string_view name;
    ParameterType type = ParameterType::text;
    bool may_be_null = false;  ///< it is ready for NULL
};

/// One event, as a handler gets it. The views live during the call.
struct HandlerEvent {
    const record::EventHeaders& headers;   ///< `http` is empty
    std::span<const store::Datum> values;  ///< of Handler::needs, in their order, of their types
    const webhook::JsonView* body{};       ///< with Handler::reads_body alone
};

/// The effect's open transaction, which runs what the handler declared and nothing else. Who commits or rolls
/// back is not the handler. One thread's.
class HandlerTransaction {
public:
    virtual ~HandlerTransaction() = default;

    /// A SELECT, by its place in Handler::statements, with a value for each ?: the whole result. After a
    /// Failure the transaction is lost, whatever the handler makes of it: return the Failure. Throws
    /// std::logic_error for another statement or number of values.
    [[nodiscard]] virtual Result<std::vector<store::Row>> query(std::size_t statement,
                                                                const std::vector<store::Datum>& values) = 0;
    /// The same for a change: how many rows it matched.
    [[nodiscard]] virtual Result<std::int64_t> execute(std::size_t statement,
                                                       const std::vector<store::Datum>& values) = 0;
};

/// How a handler's run for an event ended. With `done` and `ignore` what it changed is committed; with the
/// others it is rolled back.
struct Handled {
    Outcome outcome = Outcome::done;
    std::string case_class{};  ///< of `park`, a case: 1 to 32 of a-z, 0-9 and _; empty: a failure
    std::string reason{};      ///< for people, who see it where data of events may stand
};

/// One entry of the list in consumer/handlers/handlers.cpp. A function and not an object: all workers call it
/// at once, and it keeps nothing between two events.
struct Handler {
    std::string_view name;
    int version = 1;  ///< from 1; another one for code that does something else
    std::vector<Need> needs{};
    std::vector<std::string_view>
        statements{};         ///< one SELECT without INTO, or one change each; ? for values
    bool reads_body = false;  ///< all of it, also what a source does not sign
    /// For each run of the effect. An exception ends the run and is the event's: no other event notices.
    Result<Handled> (*handle)(const HandlerEvent& event, HandlerTransaction& transaction) = nullptr;
};

}  // namespace sluice::effects
