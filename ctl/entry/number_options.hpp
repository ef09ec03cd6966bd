#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "consumer/store/inbox/of_payment.hpp"
#include "ctl/cli/json.hpp"

namespace sluice::ctl {

/// The numbers of a payment that people have in hand, as they are typed.
struct NumberOptions {
    std::string reference;
    std::string transaction;

    [[nodiscard]] bool any() const { return !reference.empty() || !transaction.empty(); }
};

/// --reference and --transaction, in this group of the help; empty: in none.
void add_number_options(CLI::App& command, NumberOptions& options, const std::string& group = {});

[[nodiscard]] store::NumbersAsked asked_by(const NumberOptions& options);

/// "the order O-17", "the order O-17 and the transaction 4200"
[[nodiscard]] std::string asked_text(const NumberOptions& options);

/// Members `reference` and `transaction`, null where none is known.
void add_numbers(Json& json, const std::string& reference, const std::string& transaction);

/// Throws Stopped(usage) unless `name` or a number is given, and not both.
void refuse_unless_one(const std::string& name, const std::string& what, const NumberOptions& options);

}  // namespace sluice::ctl
