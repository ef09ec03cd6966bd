#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "command/execute/executor.hpp"

namespace sluice::command {

/// Two executors: `second` has the commands that `is_second` names, `first` all others.
class RoutedExecutor final : public Executor {
public:
    using IsSecond = std::function<bool(const std::string& command)>;

    RoutedExecutor(std::unique_ptr<Executor> first, std::unique_ptr<Executor> second, IsSecond is_second)
        : first_{std::move(first)}, second_{std::move(second)}, is_second_{std::move(is_second)} {}

    void execute(Request request, Done done) override {
        Executor& its = of(request.key.command);
        its.execute(std::move(request), std::move(done));
    }
    void look_up(Key key, SteadyTime answer_by, Found found) override {
        Executor& its = of(key.command);
        its.look_up(std::move(key), answer_by, std::move(found));
    }

private:
    [[nodiscard]] Executor& of(const std::string& command) {
        return is_second_(command) ? *second_ : *first_;
    }

    std::unique_ptr<Executor> first_;
    std::unique_ptr<Executor> second_;
    IsSecond is_second_;
};

}  // namespace sluice::command
