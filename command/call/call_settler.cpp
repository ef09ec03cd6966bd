#include "command/call/call_settler.hpp"

#include <utility>

#include "common/failpoint.hpp"
#include "common/thread_name.hpp"
#include "common/wait_or_stop.hpp"

namespace sluice::command {
namespace {

constexpr Milliseconds between_passes{2'000};
constexpr int passes_between_looks = 8;  // whoever watches asks less often

}  // namespace

CallSettler::CallSettler(std::vector<std::unique_ptr<CallWork>> works, std::stop_token stop)
    : stop_{std::move(stop)}, works_{std::move(works)}, thread_{[this] { run(); }} {}

void CallSettler::run() {
    name_this_thread("call-settler");
    for (int pass = 0; wait_or_stop(stop_, between_passes / HURRY()); ++pass)
        for (const auto& work : works_) {
            work->settle_due();
            if (pass % passes_between_looks == 0) work->show_open();
        }
}

}  // namespace sluice::command
