#include "command/hot/hot_executor.hpp"

#include <utility>

#include "command/hot/acceptor.hpp"
#include "command/hot/hot_watch.hpp"
#include "command/hot/line_watch.hpp"
#include "command/key/key_of.hpp"
#include "command/telemetry/command_metrics.hpp"
#include "ingress/outlet/outlet.hpp"

namespace sluice::command {
namespace {

constexpr sluice::Program this_program{"sluice-command", "sluice_command"};
/// A look-up is told by its own time, also where the row is read once more after this.
constexpr Milliseconds kept_for_the_row{200};

using Said = std::expected<Standing, std::string>;

/// Each thread that serves requests has one: its buffers grow once.
std::optional<std::string> hot_account_of(const Hot& hot, std::string_view body) {
    thread_local webhook::JsonView view;
    if (!view.read(body)) return std::nullopt;
    return account_of(hot, view);
}

AllHotAccounts accounts_of(const CommandSet& set) {
    AllHotAccounts all;
    for (const auto& one : set.all())
        if (one->hot) all.emplace(one->name, std::make_unique<HotAccounts>(*one->hot));
    return all;
}

bool is_absent(const Said& said) {
    return said && said->state == Standing::State::absent;
}

class HotExecutor final : public Executor {
public:
    HotExecutor(std::unique_ptr<Executor> inner, const CommandSet& set, const LineSettings& line,
                const ExecutionSettings& settings, const Around& around)
        : set_{set},
          around_{around},
          metrics_{around.metrics, set},
          accounts_{accounts_of(set)},
          outlet_{line.kafka, no_redis_, this_program, around.log, around.metrics, kafka_, around.clock},
          watch_{set, accounts_, kafka_, around_},
          acceptor_{set, around_,
                    [this](auto parcels, Milliseconds within) { return outlet_.deliver(parcels, within); },
                    static_cast<std::size_t>(settings.queue)},
          inner_{std::move(inner)},
          line_{line, around.log, around.clock} {}

    /// Look-ups of `inner_` ask the line, and those of the line ask `inner_`.
    ~HotExecutor() override {
        line_.close();
        inner_.reset();
    }

    void execute(Request request, Done done) override {
        const Definition* definition = set_.find(request.key.command);
        const auto found = accounts_.find(request.key.command);
        if (definition == nullptr || found == accounts_.end())
            return inner_->execute(std::move(request), std::move(done));
        auto account = hot_account_of(*definition->hot, request.body);
        if (!account || !found->second->count(*account, around_.clock.steady()))
            return inner_->execute(std::move(request), std::move(done));
        auto tell = metrics_.telling(request, around_.clock, std::move(done));
        acceptor_.accept(*definition, std::move(*account), std::move(request), std::move(tell));
    }

    /// A row is the truth. Where there is none the command may be on its way into Kafka, or wait there.
    void look_up(Key key, SteadyTime answer_by, Found found) override {
        if (!accounts_.contains(key.command))
            return inner_->look_up(std::move(key), answer_by, std::move(found));
        auto next = [this, key, answer_by, found = std::move(found)](Said said) mutable {
            if (!is_absent(said)) return found(std::move(said));
            if (const auto since = acceptor_.since(digest_of(key)))
                return found(Standing{.state = Standing::State::in_progress, .since = *since});
            look_behind_the_line(std::move(key), answer_by, std::move(found));
        };
        inner_->look_up(std::move(key), answer_by, std::move(next));
    }

private:
    void look_behind_the_line(Key key, SteadyTime answer_by, Found found) {
        auto told = [this, key = std::move(key), answer_by,
                     found = std::move(found)](bool has_passed) mutable {
            if (!has_passed) return found(Standing{.state = Standing::State::in_progress});
            inner_->look_up(std::move(key), answer_by, std::move(found));
        };
        line_.when_passed(answer_by - kept_for_the_row, std::move(told));
    }

    const CommandSet& set_;
    const Around around_;
    const config::RedisSettings no_redis_{};
    CommandMetrics metrics_;
    AllHotAccounts accounts_;
    Readiness kafka_;
    outlet::Outlet outlet_;
    HotWatch watch_;
    Acceptor acceptor_;
    std::unique_ptr<Executor> inner_;
    LineWatch line_;
};

}  // namespace

std::unique_ptr<Executor> make_hot_executor(std::unique_ptr<Executor> inner, const CommandSet& set,
                                            const LineSettings& line, const ExecutionSettings& settings,
                                            const Around& around) {
    return std::make_unique<HotExecutor>(std::move(inner), set, line, settings, around);
}

}  // namespace sluice::command
