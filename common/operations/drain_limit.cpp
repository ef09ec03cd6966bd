#include "common/operations/drain_limit.hpp"

#include <cstdlib>
#include <utility>

namespace sluice {
namespace {

constexpr Milliseconds for_the_last_line{200};

}  // namespace

DrainLimit::DrainLimit(Milliseconds within, Log& log, std::string limit)
    : thread_{[this, within, &log, limit = std::move(limit)](const std::stop_token& stop) {
          std::unique_lock lock{mutex_};
          const auto never = [] { return false; };
          wake_.wait_for(lock, stop, within, never);
          if (stop.stop_requested()) return;
          log.warn("drain_cut", {{"reason", "the drain took longer than " + limit}});
          wake_.wait_for(lock, stop, for_the_last_line, never);
          std::_Exit(EXIT_FAILURE);
      }} {}

}  // namespace sluice
