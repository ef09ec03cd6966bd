#include "command/execute/mysql_executor.hpp"

#include <utility>
#include <vector>

#include "command/execute/asked.hpp"
#include "command/execute/deadlines.hpp"
#include "command/execute/job_queue.hpp"
#include "command/execute/told_once.hpp"
#include "command/execute/worker.hpp"
#include "command/key/key_of.hpp"
#include "command/sweep/sweeper.hpp"
#include "command/telemetry/command_metrics.hpp"
#include "consumer/store/driver/statement_watch.hpp"

namespace sluice::command {
namespace {

using Looked = std::expected<Standing, std::string>;

struct LookUp {
    LookUp(const Key& asked, Executor::Found found) : key{digest_of(asked)}, caller{std::move(found)} {}

    crypto::Digest key;
    ToldOnce<Looked> caller;
};

class MysqlExecutor final : public Executor {
public:
    MysqlExecutor(const CommandSet& set, const ExecutionSettings& settings, const Around& around)
        : set_{set},
          around_{around},
          metrics_{around.metrics, set},
          watch_{around.mysql, around.clock, around.log},
          queue_{static_cast<std::size_t>(settings.queue)},
          deadlines_{around.clock},
          sweeper_{set, around_} {
        const Shared shared{around_, queue_, set, moves_, {&watch_, set.longest_within()}};
        for (int i = 0; i < settings.workers; ++i) workers_.push_back(std::make_unique<Worker>(shared));
    }
    ~MysqlExecutor() override { queue_.close(); }

    void execute(Request request, Done done) override {
        const Definition* definition = set_.find(request.key.command);
        if (definition == nullptr)
            return done({.kind = Answer::Kind::refused, .why = "there is no such command"});
        const SteadyTime answer_by = request.answer_by;
        auto tell = metrics_.telling(request, around_.clock, std::move(done));
        const auto asked = std::make_shared<Asked>(std::move(request), std::move(tell));
        const auto shareable = shared_by(asked, *definition);
        const auto work = [shareable](Worker& worker) {
            shareable.tell(worker.execute(*shareable.definition, *shareable.request));
        };
        Job job{.key = digest_of(asked->request.key),
                .since = around_.clock.wall(),
                .work = work,
                .turn_away = [asked] { asked->caller.tell(overloaded()); }};
        if (Together::takes(*definition)) job.shareable = shareable;
        add(std::move(job));
        tell_by(answer_by, std::weak_ptr{asked}, [](Asked& late) { late.caller.tell(not_yet()); });
    }

    void look_up(Key key, SteadyTime answer_by, Found found) override {
        const auto asked = std::make_shared<LookUp>(key, std::move(found));
        add({.since = around_.clock.wall(),
             .work = [asked](Worker& worker) { asked->caller.tell(worker.look_up(asked->key)); },
             .turn_away = [asked] { asked->caller.tell(std::unexpected(overloaded().why)); }});
        tell_by(answer_by, std::weak_ptr{asked}, [](LookUp& late) {
            late.caller.tell(std::unexpected("the database does not answer in time"));
        });
    }

private:
    [[nodiscard]] Shareable shared_by(const std::shared_ptr<Asked>& asked, const Definition& definition) {
        return {.definition = &definition,
                .request = &asked->request,
                .tell = [this, asked, &definition](Answer said) {
                    if (!asked->caller.tell(std::move(said))) metrics_.ended_late(definition.name);
                }};
    }

    void add(Job job) {
        if (!queue_.push(job)) job.turn_away();
        metrics_.waiting(queue_.waiting());
    }

    /// What is over by then is forgotten by then.
    template <class Waiting, class Tell>
    void tell_by(SteadyTime time, std::weak_ptr<Waiting> waiting, Tell tell) {
        deadlines_.at(time, [waiting = std::move(waiting), tell] {
            if (const auto late = waiting.lock()) tell(*late);
        });
    }

    const CommandSet& set_;
    const Around around_;
    CommandMetrics metrics_;
    store::StatementWatch watch_;
    consumer::ServerMoves moves_;
    JobQueue queue_;
    Deadlines deadlines_;
    Sweeper sweeper_;
    std::vector<std::unique_ptr<Worker>> workers_;  // last: they end first
};

}  // namespace

std::unique_ptr<Executor> make_executor(const CommandSet& set, const ExecutionSettings& settings,
                                        const Around& around) {
    around.readiness.expect("statements", "those of commands are not checked yet");
    return std::make_unique<MysqlExecutor>(set, settings, around);
}

}  // namespace sluice::command
