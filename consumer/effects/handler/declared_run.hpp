#pragma once

#include <exception>
#include <span>
#include <string>
#include <system_error>
#include <type_traits>

#include "consumer/effects/handler/declared_statement.hpp"
#include "consumer/effects/handler/handler.hpp"

namespace sluice::effects {

/// One run of a handler's statements on a connection, in the caller's open transaction. It remembers what
/// went wrong, so that nothing depends on what the handler makes of it.
class DeclaredRun final : public HandlerTransaction {
public:
    /// Both outlive it.
    DeclaredRun(std::span<const DeclaredStatement> statements, store::Connection& connection)
        : statements_{statements}, connection_{connection} {}

    [[nodiscard]] Result<std::vector<store::Row>> query(std::size_t statement,
                                                        const std::vector<store::Datum>& values) override;
    [[nodiscard]] Result<std::int64_t> execute(std::size_t statement,
                                               const std::vector<store::Datum>& values) override;

    /// Of the first statement that failed.
    [[nodiscard]] std::error_code error() const noexcept { return error_; }
    [[nodiscard]] std::string failed_statement() const;  ///< "statement 2, on voucher,"
    /// A statement that is not declared, or not so; empty: none.
    [[nodiscard]] const std::string& misuse() const noexcept { return misuse_; }
    /// What the connection threw: its session is then in no known state.
    [[nodiscard]] std::exception_ptr thrown() const noexcept { return thrown_; }

private:
    [[nodiscard]] const DeclaredStatement& declared(std::size_t number, std::size_t values, bool is_select);
    [[noreturn]] void misused(std::string how);
    template <class Ask>
    [[nodiscard]] std::invoke_result_t<Ask> asked(std::size_t number, Ask ask);

    std::span<const DeclaredStatement> statements_;
    store::Connection& connection_;
    std::error_code error_;
    std::size_t failed_ = 0;
    std::string misuse_;
    std::exception_ptr thrown_;
};

}  // namespace sluice::effects
