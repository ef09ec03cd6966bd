#include "consumer/effects/handler/declared_run.hpp"

#include <stdexcept>

#include "common/failpoint.hpp"
#include "consumer/effects/effect/statement_kind.hpp"

namespace sluice::effects {

Result<std::vector<store::Row>> DeclaredRun::query(std::size_t statement,
                                                   const std::vector<store::Datum>& values) {
    const auto& its = declared(statement, values.size(), true);
    return asked(statement, [&] { return connection_.query(its.text, values); });
}

Result<std::int64_t> DeclaredRun::execute(std::size_t statement, const std::vector<store::Datum>& values) {
    const auto& its = declared(statement, values.size(), false);
    return asked(statement, [&] { return connection_.execute(its.text, values); });
}

std::string DeclaredRun::failed_statement() const {
    const auto& its = statements_[failed_];
    const std::string number = "statement " + std::to_string(failed_ + 1) + ",";
    return its.is_select ? number + " a SELECT," : number + " on " + changed_table(its.text) + ",";
}

const DeclaredStatement& DeclaredRun::declared(std::size_t number, std::size_t values, bool is_select) {
    if (FP("consumer.in_handler")) throw std::runtime_error{"failpoint consumer.in_handler"};
    const std::string which = "statement " + std::to_string(number + 1);
    if (number >= statements_.size()) misused(which + " is not declared");
    const DeclaredStatement& its = statements_[number];
    if (its.is_select != is_select)
        misused(which + (is_select ? " is a change: execute it" : " is a SELECT: query it"));
    if (its.parameters != values)
        misused(which + " got " + std::to_string(values) + " values and wants " +
                std::to_string(its.parameters));
    return its;
}

void DeclaredRun::misused(std::string how) {
    if (misuse_.empty()) misuse_ = how;
    throw std::logic_error{how};
}

template <class Ask>
std::invoke_result_t<Ask> DeclaredRun::asked(std::size_t number, Ask ask) {
    try {
        auto answer = ask();
        if (!answer && !error_) {
            error_ = answer.error();
            failed_ = number;
        }
        return answer;
    } catch (...) {
        thrown_ = std::current_exception();
        throw;
    }
}

}  // namespace sluice::effects
