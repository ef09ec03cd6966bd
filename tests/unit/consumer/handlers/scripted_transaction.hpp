#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "consumer/effects/handler/handler.hpp"

namespace sluice::handlers {

/// Answers a handler's statements in the order in which a test expects them, and writes down what was bound.
class ScriptedTransaction final : public effects::HandlerTransaction {
public:
    using Rows = std::vector<store::Row>;

    void finds(std::size_t statement, Result<Rows> rows) {
        answers_.push_back({statement, std::move(rows), 0});
    }
    void matches(std::size_t statement, Result<std::int64_t> rows = 1) {
        answers_.push_back({statement, Rows{}, rows});
    }

    Result<Rows> query(std::size_t statement, const std::vector<store::Datum>& values) override {
        return next(statement, values).rows;
    }
    Result<std::int64_t> execute(std::size_t statement, const std::vector<store::Datum>& values) override {
        return next(statement, values).matched;
    }

    [[nodiscard]] bool is_over() const { return answers_.empty(); }
    std::vector<std::vector<std::string>> bound{};  ///< texts and numbers, by statement

private:
    struct Answer {
        std::size_t statement;
        Result<Rows> rows;
        Result<std::int64_t> matched;
    };

    Answer next(std::size_t statement, const std::vector<store::Datum>& values) {
        auto& its = bound.emplace_back();
        for (const auto& value : values) {
            const auto* number = std::get_if<std::int64_t>(&value);
            its.push_back(number != nullptr ? std::to_string(*number)
                                            : std::string{std::get<std::string_view>(value)});
        }
        if (answers_.empty() || answers_.front().statement != statement) {
            ADD_FAILURE() << "statement " << statement << " is not expected now";
            return {statement, Failure{std::make_error_code(std::errc::interrupted)},
                    Failure{std::make_error_code(std::errc::interrupted)}};
        }
        Answer answer = std::move(answers_.front());
        answers_.pop_front();
        return answer;
    }

    std::deque<Answer> answers_;
};

}  // namespace sluice::handlers
