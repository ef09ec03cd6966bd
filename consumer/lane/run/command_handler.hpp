#pragma once

#include <string>

#include "consumer/lane/run/visit.hpp"
#include "consumer/record/record.hpp"
#include "consumer/store/driver/connection.hpp"

namespace sluice::consumer {

/// Carries out one record of the command topic. The retry role subscribes to that topic only where it was
/// given a handler. One thread's.
class CommandHandler {
public:
    virtual ~CommandHandler() = default;
    /// As LaneVisit::visit: the record is acknowledged once this says settled.
    [[nodiscard]] virtual Visited carry_out(store::Connection& connection, const Record& record,
                                            std::string& trouble) = 0;
};

}  // namespace sluice::consumer
