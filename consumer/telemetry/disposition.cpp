#include "consumer/telemetry/disposition.hpp"

namespace sluice::consumer {

std::string_view name_of(Disposition disposition) noexcept {
    switch (disposition) {
        case Disposition::done:
            return "done";
        case Disposition::ignored:
            return "ignored";
        case Disposition::duplicate:
            return "duplicate";
        case Disposition::duplicate_of_peer:
            return "duplicate_of_peer";
        case Disposition::deferred:
            return "deferred";
        case Disposition::retried:
            return "retried";
        case Disposition::parked:
            return "parked";
        case Disposition::superseded:
            return "superseded";
        case Disposition::lacking:
            return "lacking";
        case Disposition::contended:
            return "contended";
        case Disposition::dead:
            return "dead";
        case Disposition::rule_case:
            return "case";
    }
    return "unknown";
}

}  // namespace sluice::consumer
