#include "ingress/drain.hpp"

#include <algorithm>

namespace sluice::ingress {
namespace {

constexpr Milliseconds step{20};

}  // namespace

bool drain(Drainage& drainage, const DrainTimes& times, const Clock& clock) {
    drainage.refuse_traffic();
    drainage.serve_for(times.delay);

    const SteadyTime start = clock.steady();
    const SteadyTime last_request = start + times.within * 8 / 10;
    const SteadyTime last_report = start + times.within * 9 / 10;
    drainage.stop_accepting();
    while (!drainage.is_quiet() && clock.steady() < last_request) drainage.wait(step);
    const bool finished = drainage.is_quiet();
    if (!finished) drainage.cut();

    const auto left = std::chrono::duration_cast<Milliseconds>(last_report - clock.steady());
    const bool flushed = drainage.flush(std::max(left, Milliseconds{0}));
    return finished && flushed;
}

}  // namespace sluice::ingress
