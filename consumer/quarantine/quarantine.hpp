#pragma once

#include <string>
#include <string_view>

#include "common/telemetry/log.hpp"
#include "common/telemetry/metrics.hpp"
#include "consumer/apply/own_failures.hpp"
#include "consumer/lane/run/lane_context.hpp"
#include "consumer/lane/run/visit.hpp"
#include "consumer/quarantine/kept_request.hpp"

namespace sluice::consumer {

/// Makes an open entry of each request that the ingress kept because it could not read it, also where its
/// source is none of ours: this process may be older than the source. One thread's.
class Quarantine {
public:
    /// `topic_id` tells the records of a recreated topic from those of the one before. All outlive this.
    Quarantine(const LaneContext& context, std::string topic_id, Log& log, Metrics& metrics);

    /// What it counts is there from the role's start: an alarm needs its counter before the first one.
    static void export_counters(Metrics& metrics);

    /// As LaneVisit::visit: the record is acknowledged once this says settled.
    [[nodiscard]] Visited take(store::Connection& connection, const Record& record, std::string& trouble);

private:
    /// The entry's id; nullopt: there is one already.
    [[nodiscard]] Result<std::optional<std::int64_t>> open(store::Connection& connection,
                                                           const Record& record, const KeptRequest& request,
                                                           std::string_view why);
    /// Of one that MySQL refuses: on-call sees that it is there and where it lies.
    [[nodiscard]] Result<std::optional<std::int64_t>> open_without_record(store::Connection& connection,
                                                                          const Record& record,
                                                                          const KeptRequest& request,
                                                                          std::error_code refused);
    [[nodiscard]] Visited refused(const Record& record, std::string_view why);
    [[nodiscard]] bool has_source_of(const KeptRequest& request) const;
    [[nodiscard]] std::string reason_of(const KeptRequest& request) const;
    void opened(std::int64_t id, const Record& record, const KeptRequest& request);
    [[nodiscard]] Visited foreign(const Record& record);
    [[nodiscard]] Counter& counter(std::string_view what);

    LaneContext context_;
    std::string topic_id_;
    Log& log_;
    Metrics& metrics_;
    OwnFailures own_failures_;  // by place in the topic
};

}  // namespace sluice::consumer
