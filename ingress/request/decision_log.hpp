#pragma once

#include <chrono>
#include <map>
#include <string>
#include <string_view>

#include "common/network/address.hpp"
#include "common/telemetry/label_set.hpp"
#include "common/telemetry/log.hpp"
#include "common/telemetry/metrics.hpp"
#include "common/webhook/extract/extract.hpp"
#include "common/webhook/gate/gate_refusal.hpp"
#include "common/webhook/signature/signature_refusal.hpp"
#include "ingress/request/outcome_answer.hpp"
#include "ingress/request/routes.hpp"

namespace sluice::ingress {

/// What is known of a request when it is decided; what is not known is empty. Never a body, a
/// signature or a secret.
struct Facts {
    const Route* route = nullptr;
    const webhook::Extracted* event = nullptr;
    std::string_view reason{};  ///< which check refused it, why it is quarantined
    std::string_view unread{};  ///< of the latter: webhook::Unread::why
    std::string_view trace{};
    std::string_view claim{};
    network::Address client{};
    std::chrono::steady_clock::duration took{};
};

/// Counters shared by all io_contexts.
struct DecisionCounters {
    explicit DecisionCounters(Metrics& metrics);

    Metrics& metrics;
    LabelSet types{200};
    std::map<std::string_view, Counter*> gate_refusals;  ///< by name; complete from the start
};

/// One JSON line and one counter for each decision, of the same name. One per io_context.
class DecisionLog {
public:
    DecisionLog(Log& log, DecisionCounters& counters) : log_{log}, counters_{counters} {}

    void made(Outcome outcome, const Facts& facts);
    /// A request that never got past the gate: "gate_refused" with the refusal's name as its reason.
    /// `source`: the one whose rule refused it; nullptr: no source's.
    void refused_at_gate(gate::Refusal refusal, const network::Address& client,
                         const webhook::Source* source = nullptr);
    /// A provider asked whether the address is ours, and got the answer.
    void answered_challenge(const webhook::Source& source, const network::Address& client);
    /// An authentic event of this type has come.
    void received(const webhook::Source& source, std::string_view type);

private:
    Log& log_;
    DecisionCounters& counters_;
    std::map<std::pair<std::string, std::string>, Counter*, std::less<>>
        received_;  // provider, admitted type
};

}  // namespace sluice::ingress
