// Statements of effects. The input is SQL. Promises, for any text:
//   - it is refused exactly when a second reader refuses it; otherwise both send the same text and bind the
//   same
//     names, in order: a value never becomes text, and what stands in quotes and comments stays what it is;
//   - what is bound is read as the same statement again: nothing in it is a name any more;
//   - what is one statement has a table and row counts that can be, whatever stands in it.
#include "consumer/effects/effect/statement_kind.hpp"
#include "consumer/effects/value/placeholders.hpp"
#include "tests/fuzz/placeholders/second_reading.hpp"
#include "tests/fuzz/support/input.hpp"
#include "tests/fuzz/support/require.hpp"

namespace sluice::fuzz {
namespace {

void bind(std::string_view statement) {
    const auto made = effects::replace_placeholders(statement);
    const auto wanted = second_reading(statement);
    require(made.has_value() == wanted.has_value(), "both readers refuse, or neither does", statement);
    if (!made) return require(!made.error().empty(), "what is refused says why", statement);
    require(made->text == wanted->text, "both readers send the same text", made->text);
    require(made->names == wanted->names, "both readers bind the same names", statement);
    for (const std::string& name : made->names)
        require(effects::is_parameter_name(name), "a name is one", name);
    if (made->names.empty()) require(made->text == statement, "without names, a statement is sent as it is");
    require(!made->names.empty() == !effects::replace_placeholders(made->text),
            "what is sent has a ? for each name, and no name", made->text);
}

void judge(std::string_view statement) {
    const auto change = effects::single_change(statement);
    if (!change) return require(!change.error().empty(), "what is refused says why", statement);
    const auto counts = effects::possible_counts(*change);
    require(counts.least >= 0 && counts.most.value_or(counts.least) >= counts.least, "some count is possible",
            statement);
    (void)effects::changed_table(*change);
}

}  // namespace
}  // namespace sluice::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view input = sluice::fuzz::text_of(data, size);
    sluice::fuzz::bind(input);
    sluice::fuzz::judge(input);
    return 0;
}
