#include "ctl/entry/number_options.hpp"

#include "ctl/cli/exit.hpp"
#include "ctl/cli/options.hpp"

namespace sluice::ctl {

void add_number_options(CLI::App& command, NumberOptions& options, const std::string& group) {
    auto* reference = command.add_option("--reference", options.reference,
                                         "Of the payment of this order, by the merchant's order number");
    auto* transaction = command.add_option("--transaction", options.transaction,
                                           "Of the payment with this provider's number");
    for (auto* option : {reference, transaction}) {
        option->type_name("NUMBER");
        if (!group.empty()) option->group(group);
    }
}

store::NumbersAsked asked_by(const NumberOptions& options) {
    return {.reference = unless_empty(options.reference), .transaction = unless_empty(options.transaction)};
}

std::string asked_text(const NumberOptions& options) {
    if (options.transaction.empty()) return "the order " + options.reference;
    if (options.reference.empty()) return "the transaction " + options.transaction;
    return "the order " + options.reference + " and the transaction " + options.transaction;
}

void add_numbers(Json& json, const std::string& reference, const std::string& transaction) {
    json["reference"] = text_or_null(reference);
    json["transaction"] = text_or_null(transaction);
}

void refuse_unless_one(const std::string& name, const std::string& what, const NumberOptions& options) {
    if (name.empty() != options.any())
        throw Stopped{Exit::usage, "give " + what + ", or --reference or --transaction"};
}

}  // namespace sluice::ctl
