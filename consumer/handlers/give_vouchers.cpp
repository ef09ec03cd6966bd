#include "consumer/handlers/give_vouchers.hpp"

namespace sluice::handlers {
namespace {

using effects::Handled;
using effects::HandlerEvent;
using effects::HandlerTransaction;
using effects::Outcome;
using effects::ParameterType;

enum NeedOf : std::size_t { reference, transaction, amount, currency };
enum StatementOf : std::size_t { lock_order, lock_codes, give_code, finish_order };

/// A row of voucher_order.
struct Order {
    std::string status;
    std::string product;
    std::int64_t quantity;
    std::int64_t amount;
    std::string currency;
    std::string paid_by;  ///< empty: nobody, or version 1 gave its codes
};

Order order_of(const store::Row& row) {
    return {std::get<std::string>(row[0]),  std::get<std::string>(row[1]), std::get<std::int64_t>(row[2]),
            std::get<std::int64_t>(row[3]), std::get<std::string>(row[4]), std::get<std::string>(row[5])};
}

std::string price(std::int64_t amount, std::string_view currency) {
    return std::to_string(amount) + " " + std::string{currency};
}

/// The same payment may be told of twice; a second one is money that somebody has to give back.
Handled paid_again(const Order& order, std::string_view paid_by) {
    const bool is_unknown = order.paid_by.empty();  // version 1 gave the codes and did not note by what
    if (is_unknown || order.paid_by == paid_by) return {Outcome::ignore};
    return {Outcome::park, "paid_twice",
            "the order was paid by " + order.paid_by + ", and " + std::string{paid_by} + " pays it again"};
}

/// The order is locked, and so are its codes: nobody else gives them away.
Result<Handled> give(const HandlerEvent& event, const std::vector<store::Row>& codes,
                     HandlerTransaction& statements) {
    const store::Datum& order = event.values[reference];
    for (const auto& code : codes) {
        const std::string_view its = std::get<std::string>(code[0]);
        if (const auto given = statements.execute(give_code, {order, its}); !given)
            return Failure{given.error()};
    }
    if (const auto finished = statements.execute(finish_order, {event.values[transaction], order}); !finished)
        return Failure{finished.error()};
    return Handled{};
}

Result<Handled> handle(const HandlerEvent& event, HandlerTransaction& statements) {
    const auto found = statements.query(lock_order, {event.values[reference]});
    if (!found) return Failure{found.error()};
    if (found->empty()) return Handled{Outcome::defer, {}, "the order is not there yet"};
    const Order order = order_of(found->front());
    const auto paid_by = std::get<std::string_view>(event.values[transaction]);
    if (order.status == "GIVEN") return paid_again(order, paid_by);

    const auto paid = std::get<std::int64_t>(event.values[amount]);
    const auto paid_in = std::get<std::string_view>(event.values[currency]);
    if (paid != order.amount || paid_in != order.currency)
        return Handled{
            Outcome::park, "amount_mismatch",
            "the order costs " + price(order.amount, order.currency) + ", paid were " + price(paid, paid_in)};

    const auto codes = statements.query(lock_codes, {std::string_view{order.product}, order.quantity});
    if (!codes) return Failure{codes.error()};
    if (std::ssize(*codes) < order.quantity)
        return Handled{Outcome::park, "sold_out",
                       "the order wants " + std::to_string(order.quantity) + " codes of " + order.product +
                           ", free are " + std::to_string(codes->size())};
    return give(event, *codes, statements);
}

}  // namespace

effects::Handler give_vouchers() {
    return {
        .name = "give_vouchers",
        .version = 2,
        .needs = {{"reference"}, {"transaction"}, {"amount", ParameterType::int64}, {"currency"}},
        .statements = {"SELECT status, product, quantity, amount, currency, COALESCE(paid_by, '')"
                       " FROM voucher_order WHERE order_no = ? FOR UPDATE",
                       "SELECT code FROM voucher WHERE product = ? AND order_no IS NULL"
                       " ORDER BY code LIMIT ? FOR UPDATE",
                       "UPDATE voucher SET order_no = ? WHERE code = ?",
                       "UPDATE voucher_order SET status = 'GIVEN', paid_by = ? WHERE order_no = ?"},
        .handle = handle,
    };
}

}  // namespace sluice::handlers
