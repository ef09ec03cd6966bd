#pragma once

#include <cstddef>
#include <string>

#include <CLI/CLI.hpp>

namespace sluice {

/// Who asks for a change, and why: on the command line of everything that changes what is kept, and kept with
/// it.
struct SignedBy {
    std::string operator_name;
    std::string reason;
};

/// Bytes, as in MySQL.
inline constexpr std::size_t longest_operator = 128;
inline constexpr std::size_t longest_reason = 1024;

inline void add_operator_and_reason(CLI::App& command, SignedBy& by) {
    command.add_option("--operator", by.operator_name, "Who does this; it is kept")
        ->envname("SLUICE_OPERATOR")
        ->type_name("NAME");
    command.add_option("--reason", by.reason, "Why; it is kept")->type_name("TEXT");
}

/// The sentence that says what is missing or too long; empty where nothing is.
[[nodiscard]] inline std::string why_not_signed(const SignedBy& by) {
    if (by.operator_name.empty()) return "give --operator NAME or set SLUICE_OPERATOR";
    if (by.reason.empty()) return "give --reason TEXT: it is kept with what is done";
    if (by.operator_name.size() > longest_operator)
        return "--operator must have at most " + std::to_string(longest_operator) + " bytes";
    if (by.reason.size() > longest_reason)
        return "--reason must have at most " + std::to_string(longest_reason) + " bytes";
    return {};
}

}  // namespace sluice
