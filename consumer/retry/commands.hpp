#pragma once

#include "common/log.hpp"
#include "common/metrics.hpp"
#include "consumer/retry/carry_out.hpp"
#include "consumer/retry/command_handler.hpp"

namespace sluice::consumer {

/// Operators' commands as records: read, carried out, told, and the lane visited, as every record that
/// touches one does. One worker's; `log` and `metrics` outlive it.
class Commands final : public CommandHandler {
public:
    Commands(const LaneTools& tools, const Authenticity& authenticity, Log& log, Metrics& metrics)
        : tools_{tools}, carry_out_{tools, authenticity}, visit_{tools}, log_{log}, metrics_{metrics} {}

    [[nodiscard]] Visited carry_out(store::Connection& connection, const Record& record,
                                    std::string& trouble) override;

private:
    /// A statement of ours failed. nullopt: for a reason of the command's own, which is refused then.
    [[nodiscard]] static std::optional<Visited> given_up(const store::Connection& connection,
                                                         std::error_code error, std::string& trouble);
    void flawed(const Record& record, command::Flaw flaw);
    void say(const command::Command& command, const CarryOut::Answer& answer);
    void tell(const Record& record, const command::Command& command, const CarryOut::Answer& answer,
              SteadyTime began);
    void count(std::string_view action, std::string_view answer);

    LaneTools tools_;
    CarryOut carry_out_;
    LaneVisit visit_;
    Log& log_;
    Metrics& metrics_;
};

}  // namespace sluice::consumer
