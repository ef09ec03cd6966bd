#include "consumer/command/execute/commands.hpp"

#include "common/error.hpp"
#include "common/failpoint.hpp"
#include "consumer/command/command_record.hpp"

namespace sluice::consumer {
namespace {

std::string_view name_of(CarryOut::Answer::Kind kind) {
    switch (kind) {
        case CarryOut::Answer::Kind::carried_out:
            return "carried_out";
        case CarryOut::Answer::Kind::refused:
            return "refused";
        case CarryOut::Answer::Kind::before:
            break;
    }
    return "carried_out_before";
}

Counter& doubtful_counter(Metrics& metrics, command::Doubt doubt) {
    return metrics.counter("sluice_consumer_commands_doubtful_total",
                           "Commands that no operator's key vouches for; they change nothing",
                           {{"why", std::string{command::name_of(doubt)}}});
}

std::expected<command::Command, command::Flaw> command_in(const Record& record,
                                                          const Authority::Voucher& voucher) {
    auto command = command::decode(record.value);
    if (!command || voucher.approver == nullptr) return command;
    auto approval = command::decode_approval(voucher.approval);
    if (!approval) return std::unexpected{approval.error()};
    command->approval = std::move(*approval);
    return command;
}

}  // namespace

Commands::Commands(const LaneContext& context, const Authenticity& authenticity, const Authority& authority,
                   Log& log, Metrics& metrics)
    : context_{context},
      authority_{authority},
      carry_out_{context, authenticity},
      visit_{context},
      log_{log},
      metrics_{metrics} {
    for (const command::Doubt doubt : command::doubts) (void)doubtful_counter(metrics_, doubt);
}

Visited Commands::carry_out(store::Connection& connection, const Record& record, std::string& trouble) {
    const auto voucher = authority_.voucher_of(record);
    if (voucher) return carry_out(connection, record, *voucher, trouble);
    doubted(record, voucher.error());
    return Visited::settled;
}

Visited Commands::carry_out(store::Connection& connection, const Record& record,
                            const Authority::Voucher& voucher, std::string& trouble) {
    const SteadyTime began = context_.clock.steady();
    const auto command = command_in(record, voucher);
    if (!command) {
        flawed(record, command.error());
        return visit_.visit(connection, record.key, std::nullopt, trouble);
    }
    if (const auto doubt = Authority::doubt_about(*command, voucher)) {
        doubted(record, *doubt);
        return Visited::settled;
    }
    const std::string_view objection = authority_.objection(*command, context_.clock.wall());
    auto answer = objection.empty() ? carry_out_.run(*command, connection)
                                    : carry_out_.refuse(*command, objection, connection);
    if (!answer) {
        if (const auto visited = given_up(connection, answer.error(), trouble)) return *visited;
        answer = carry_out_.refuse(*command, "impossible", connection);
        if (!answer) {
            if (const auto visited = given_up(connection, answer.error(), trouble)) return *visited;
            // Not even the refusal can be written down. It would hold up all behind it for ever.
            count(store::name_of(command->action), "unwritten");
            log_.error("command_unwritten", {{"reason", trouble}, {"key", command->object_key}});
            return visit_.visit(connection, command->object_key, std::nullopt, trouble);
        }
    }
    (void)FP("consumer.after_command_commit");
    say(*command, *answer);
    tell(record, *command, *answer, began);
    // At once, and not after the shortest tier: what the pass leaves is covered by the wakeup that is owed.
    for (const std::string& object : answer->objects) {
        const Visited visited = visit_.visit_early(connection, object, trouble);
        if (visited != Visited::settled) return visited;
    }
    return visit_.visit_early(connection, command->object_key, trouble);
}

std::optional<Visited> Commands::given_up(const store::Connection& connection, std::error_code error,
                                          std::string& trouble) {
    const Setback setback = statement_failed(connection, error);
    trouble = setback.reason;
    if (setback.database == store::ErrorClass::lost_lock) return Visited::again_first;
    if (is_trouble(setback) || error == errc::injected) return Visited::trouble;
    return std::nullopt;
}

void Commands::doubted(const Record& record, command::Doubt doubt) {
    doubtful_counter(metrics_, doubt).Increment();
    log_.error("command_doubtful", {{"why", command::name_of(doubt)},
                                    {"key", record.key},
                                    {"partition", std::int64_t{record.at.partition}},
                                    {"offset", record.at.offset}});
}

void Commands::flawed(const Record& record, command::Flaw flaw) {
    count("unknown", "flawed");
    log_.error("command_flawed", {{"flaw", command::name_of(flaw)},
                                  {"partition", std::int64_t{record.at.partition}},
                                  {"offset", record.at.offset}});
}

void Commands::say(const command::Command& command, const CarryOut::Answer& answer) {
    count(store::name_of(command.action), name_of(answer.kind));
    log_.info("command", {{"action", store::name_of(command.action)},
                          {"answer", name_of(answer.kind)},
                          {"why", answer.why},
                          {"operator", command.operator_name},
                          {"approved_by", command.approval ? command.approval->operator_name : ""},
                          {"key", command.object_key},
                          {"dead_letter", command.dead_letter.value_or(0)}});
}

void Commands::tell(const Record& record, const command::Command& command, const CarryOut::Answer& answer,
                    SteadyTime began) {
    context_.decisions.spans().commanded(record,
                                         {.action = store::name_of(command.action),
                                          .answer = name_of(answer.kind),
                                          .why = answer.why,
                                          .traceparent = answer.traceparent,
                                          .dead_letter = command.dead_letter.value_or(0)},
                                         began);
}

void Commands::count(std::string_view action, std::string_view answer) {
    metrics_
        .counter("sluice_consumer_commands_total", "Operators' commands, by their result",
                 {{"action", std::string{action}}, {"answer", std::string{answer}}})
        .Increment();
}

}  // namespace sluice::consumer
