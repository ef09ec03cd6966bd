#include "command/call/call_executor.hpp"

#include <exception>
#include <optional>
#include <stop_token>
#include <utility>

#include "command/call/call_pool.hpp"
#include "command/call/call_settler.hpp"
#include "command/call/held_keys.hpp"
#include "command/execute/asked.hpp"
#include "command/execute/deadlines.hpp"
#include "command/execute/told_once.hpp"
#include "command/key/key_of.hpp"
#include "command/record/rules.hpp"
#include "command/telemetry/command_metrics.hpp"

namespace sluice::command {
namespace {

using Looked = std::expected<Standing, std::string>;

/// One command, and the threads of its calls and of its look-ups: a service that hangs delays no look-up.
struct OneCommand {
    OneCommand(const Definition& definition, std::size_t queue, const Around& around,
               const std::vector<Secret>& keys, const MakeRecord& make_record, const std::stop_token& stop)
        : metrics{around.metrics, definition.name},
          make{[&, this, stop] {
              const CallSurroundings its{definition, keys, around.clock, around.log, metrics, stop};
              return std::make_unique<CallWork>(its, make_record(definition));
          }},
          calls{definition.call->concurrency, queue, make},
          look_ups{1, queue, make} {}

    void close() {
        calls.close();
        look_ups.close();
    }

    CallMetrics metrics;
    HeldKeys held;
    CallPool::MakeWork make;
    CallPool calls;
    CallPool look_ups;
};

class CallExecutor final : public Executor {
public:
    CallExecutor(const CommandSet& set, std::size_t queue, const Around& around,
                 std::shared_ptr<const CallKeys> keys, MakeRecord make_record)
        : around_{around},
          keys_{std::move(keys)},
          make_record_{std::move(make_record)},
          metrics_{around.metrics, set},
          deadlines_{around.clock} {
        std::vector<std::unique_ptr<CallWork>> settling;
        for (const auto& one : set.all()) {
            if (!one->call) continue;
            auto command = std::make_unique<OneCommand>(*one, queue, around_, keys_->at(one->name),
                                                        make_record_, stopping_.get_token());
            settling.push_back(command->make());
            commands_.emplace(one->name, std::move(command));
        }
        settler_.emplace(std::move(settling), stopping_.get_token());
    }
    /// All at once: what each of them has sent ends meanwhile.
    ~CallExecutor() override {
        stopping_.request_stop();
        for (const auto& [name, command] : commands_) command->close();
    }

    void execute(Request request, Done done) override {
        const auto found = commands_.find(request.key.command);
        if (found == commands_.end())
            return done({.kind = Answer::Kind::refused, .why = "there is no such command"});
        const SteadyTime answer_by = request.answer_by;
        auto tell = metrics_.telling(request, around_.clock, std::move(done));
        const auto asked = std::make_shared<Asked>(std::move(request), std::move(tell));
        OneCommand& its = *found->second;
        its.held.add(digest_of(asked->request.key), around_.clock.wall());
        its.calls.add(
            {.work = [this, &its, asked](CallWork& work) { ended(its, *asked, executed(work, *asked)); },
             .turn_away = [this, &its, asked] { ended(its, *asked, overloaded()); }});
        deadlines_.at(answer_by, [weak = std::weak_ptr{asked}] {
            if (const auto late = weak.lock()) late->caller.tell(not_yet());
        });
    }

    void look_up(Key key, SteadyTime answer_by, Found found) override {
        const auto its = commands_.find(key.command);
        if (its == commands_.end()) return found(Standing{});
        const auto caller = std::make_shared<ToldOnce<Looked>>(std::move(found));
        its->second->look_ups.add(
            {.work = [caller, &held = its->second->held,
                      digest = digest_of(key)](CallWork& work) { caller->tell(looked(work, held, digest)); },
             .turn_away = [caller] { caller->tell(std::unexpected(overloaded().why)); }});
        deadlines_.at(answer_by, [weak = std::weak_ptr{caller}] {
            if (const auto late = weak.lock())
                late->tell(std::unexpected("the record of calls does not answer in time"));
        });
    }

private:
    [[nodiscard]] Answer executed(CallWork& work, const Asked& asked) {
        try {
            return work.execute(asked.request);
        } catch (const std::exception& error) {
            around_.log.error("command_broken", {{"reason", error.what()}});
            return overloaded();
        }
    }

    /// Whoever looks up after that is told what the record has.
    void ended(OneCommand& its, Asked& asked, Answer answer) {
        its.held.remove(digest_of(asked.request.key));
        if (!asked.caller.tell(std::move(answer))) metrics_.ended_late(asked.request.key.command);
    }

    static Looked looked(CallWork& work, const HeldKeys& held, const crypto::Digest& key) {
        // Before the record is read: what is held no longer by then has its record.
        const auto since = held.since(key);
        try {
            return work.look_up(key).transform(
                [&](const Standing& standing) { return standing_while_held(standing, since); });
        } catch (const std::exception&) {
            return std::unexpected("the record of calls is not what it should be");
        }
    }

    const Around around_;
    const std::shared_ptr<const CallKeys> keys_;
    const MakeRecord make_record_;
    CommandMetrics metrics_;
    std::stop_source stopping_;
    Deadlines deadlines_;
    std::map<std::string, std::unique_ptr<OneCommand>, std::less<>> commands_;
    std::optional<CallSettler> settler_;  // last: it ends first
};

}  // namespace

std::unique_ptr<Executor> make_call_executor(const CommandSet& set, std::size_t queue, const Around& around,
                                             std::shared_ptr<const CallKeys> keys, MakeRecord make_record) {
    return std::make_unique<CallExecutor>(set, queue, around, std::move(keys), std::move(make_record));
}

}  // namespace sluice::command
