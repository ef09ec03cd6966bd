#include "consumer/process/drain_limit.hpp"

#include <cstdlib>

namespace sluice::consumer {
namespace {

constexpr Milliseconds for_the_last_line{200};

}  // namespace

DrainLimit::DrainLimit(Milliseconds within, Log& log)
    : thread_{[this, within, &log](const std::stop_token& stop) {
          std::unique_lock lock{mutex_};
          const auto never = [] { return false; };
          wake_.wait_for(lock, stop, within, never);
          if (stop.stop_requested()) return;
          log.warn("drain_cut", {{"reason", "the drain took longer than consumer.drain_within"}});
          wake_.wait_for(lock, stop, for_the_last_line, never);
          std::_Exit(EXIT_FAILURE);
      }} {}

}  // namespace sluice::consumer
