#pragma once

#include <string>

#include "command/config/command_set.hpp"
#include "common/config/section.hpp"

/// Pieces of configuration for the tests of commands.
namespace sluice::command {

struct ReadCommands {
    CommandSet set;
    std::string report;  ///< "test.yaml:3: …" lines
};

/// A file that has these commands, from its line 1 on.
[[nodiscard]] inline ReadCommands read_commands(const std::string& text) {
    config::Problems problems;
    const auto document = config::Document::from_text(text, "test.yaml", problems);
    auto set = CommandSet::read(document);
    return {std::move(set), problems.report()};
}

/// Charges a merchant for a click, once.
inline constexpr const char* charge_click = R"(commands:
  - name: charge-click
    key: [/merchant, /click_id]
    wait: 5s
    parameters:
      merchant: {at: /merchant, type: text, longest: 8}
      click: {at: /click_id}
      price: {at: /price, type: integer, least: 1, most: 100000}
    effect:
      insert: {table: click_charge, row: {merchant: ":merchant", click: ":click", caller: ":principal"}, duplicate: {park: charged_before}}
      add: {table: merchant_balance, key: {merchant: ":merchant"}, column: balance, by: "-:price", floor: 0, below: {park: insufficient_balance}}
    answers:
      done:
        status: 201
        select: {run: "SELECT balance FROM merchant_balance WHERE merchant = :merchant", columns: [left_over]}
        body: {charged: ":price", left: ":left_over"}
      insufficient_balance: {status: 409, body: {error: insufficient_balance, price: ":price"}}
      charged_before: {status: 409, body: {error: charged_before}}
)";

}  // namespace sluice::command
