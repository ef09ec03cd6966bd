#include "consumer/telemetry/fate.hpp"

namespace sluice::consumer {

std::string_view name_of(Fate fate) noexcept {
    switch (fate) {
        case Fate::done:
            return "done";
        case Fate::ignored:
            return "ignored";
        case Fate::duplicate:
            return "duplicate";
        case Fate::duplicate_of_peer:
            return "duplicate_of_peer";
        case Fate::deferred:
            return "deferred";
        case Fate::retried:
            return "retried";
        case Fate::parked:
            return "parked";
        case Fate::superseded:
            return "superseded";
        case Fate::lacking:
            return "lacking";
        case Fate::contended:
            return "contended";
        case Fate::dead:
            return "dead";
    }
    return "unknown";
}

}  // namespace sluice::consumer
