#include "poller/run/early_answer.hpp"

#include <utility>

#include "common/thread_name.hpp"

namespace sluice::poller {

EarlyAnswer::EarlyAnswer(Ask ask, WallTime asked_at, Question question)
    : ask_{std::move(ask)},
      asked_at_{asked_at},
      answer_{
          std::async(std::launch::async, [question = std::move(question), stop = broken_off_.get_token()] {
              name_this_thread("early");
              return question(stop);
          })} {}

EarlyAnswer::~EarlyAnswer() {
    broken_off_.request_stop();  // the future waits for its thread
}

EarlyAnswer::Result EarlyAnswer::wait(const std::stop_token& stop) {
    const std::stop_callback break_off{stop, [this] { broken_off_.request_stop(); }};
    return answer_.get();
}

EarlyAnswer::Result EarlyAnswer::break_off() {
    broken_off_.request_stop();
    return answer_.get();
}

}  // namespace sluice::poller
