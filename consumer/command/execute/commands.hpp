#pragma once

#include "common/telemetry/log.hpp"
#include "common/telemetry/metrics.hpp"
#include "consumer/command/execute/authority.hpp"
#include "consumer/command/execute/carry_out.hpp"
#include "consumer/lane/run/command_handler.hpp"

namespace sluice::consumer {

/// Operators' commands as records: verified, read, carried out, reported, and the lane visited, as every
/// record that touches one does. What is not vouched for changes nothing, in MySQL neither: its writer could
/// fill operator_action with it, or use up the id of a command that is yet to come. One worker's;
/// `authority`, `log` and `metrics` outlive it.
class Commands final : public CommandHandler {
public:
    Commands(const LaneContext& context, const Authenticity& authenticity, const Authority& authority,
             Log& log, Metrics& metrics);

    [[nodiscard]] Visited carry_out(store::Connection& connection, const Record& record,
                                    std::string& trouble) override;

private:
    [[nodiscard]] Visited carry_out(store::Connection& connection, const Record& record,
                                    const Authority::Voucher& voucher, std::string& trouble);
    /// A statement of ours failed. nullopt: for a reason of the command's own, which is refused then.
    [[nodiscard]] static std::optional<Visited> given_up(const store::Connection& connection,
                                                         std::error_code error, std::string& trouble);
    void doubted(const Record& record, command::Doubt doubt);
    void flawed(const Record& record, command::Flaw flaw);
    void say(const command::Command& command, const CarryOut::Answer& answer);
    void tell(const Record& record, const command::Command& command, const CarryOut::Answer& answer,
              SteadyTime began);
    void count(std::string_view action, std::string_view answer);

    LaneContext context_;
    const Authority& authority_;
    CarryOut carry_out_;
    LaneVisit visit_;
    Log& log_;
    Metrics& metrics_;
};

}  // namespace sluice::consumer
