#include "ctl/send/traffic/run_traffic.hpp"

#include <algorithm>
#include <thread>

#include "ctl/cli/exit.hpp"
#include "ctl/send/traffic/http_client.hpp"
#include "ctl/send/traffic/send_queue.hpp"

namespace sluice::ctl {
namespace {

constexpr Milliseconds longest_nap{100};  // so that a stop is noticed

/// What the threads share.
struct Run {
    const Traffic& traffic;
    const Clock& clock;
    const std::atomic<bool>& stop;
    Journal& journal;
    std::atomic<std::size_t> settled{0};
    std::atomic<std::size_t> answers{0};
};

/// One thread and its connection.
class Courier {
public:
    Courier(Run& run, SendQueue queue, std::size_t number)
        : run_{run},
          queue_{std::move(queue)},
          maker_{run.traffic.maker},
          client_{run.traffic.endpoint, run.traffic.timeout, run.traffic.ca_file},
          dice_{run.traffic.seed + number} {}

    void work() {
        while (const auto attempt = queue_.next()) {
            if (!wait_until(attempt->due)) return;
            deliver(*attempt);
        }
    }

    [[nodiscard]] const Tally& tally() const noexcept { return tally_; }

private:
    [[nodiscard]] bool wait_until(SteadyTime due) const {
        while (!run_.stop) {
            const auto left = due - run_.clock.steady();
            if (left <= SteadyTime::duration::zero()) return true;
            std::this_thread::sleep_for(std::min<SteadyTime::duration>(left, longest_nap));
        }
        return false;
    }

    void deliver(const Attempt& attempt) {
        const Traffic& traffic = run_.traffic;
        const Kind kind = attempt.delivery.kind;
        ReadyRequest ready =
            made_ready(traffic, maker_, attempt.delivery, attempt.position, run_.clock.wall());
        Sent sent{.facts = std::move(ready.facts), .kind = kind, .attempt = attempt.number};
        sent.sent_at = run_.clock.wall();
        if (ready.is_signed) {
            auto answer = client_.post(ready.request);
            sent.status = answer.status;
            sent.decision = answer.decision;
            sent.error = std::move(answer.error);
        } else {
            sent.error = "cannot be signed: " + ready.is_signed.error();
        }
        sent.answered_at = run_.clock.wall();
        settle(attempt, sent);
    }

    void settle(const Attempt& attempt, Sent& sent) {
        const bool is_success = sent.status >= 200 && sent.status < 300;
        if (is_genuine(sent.kind) && !is_success) {
            if (const auto pause = retry_after(attempt.number, run_.traffic.attempts, dice_)) {
                Attempt next = attempt;
                ++next.number;
                next.due = run_.clock.steady() + *pause;
                queue_.again(next);
                sent.is_last = false;
            }
        }
        if (sent.status != 0) ++run_.answers;
        if (sent.is_last) ++run_.settled;
        tally_.count(sent);
        run_.journal.write(sent);
    }

    Run& run_;
    SendQueue queue_;
    RequestMaker maker_;
    HttpClient client_;
    Dice dice_;
    Tally tally_;
};

std::vector<SendQueue> outboxes_of(const Traffic& traffic, SteadyTime start) {
    std::vector<SendQueue> outboxes(traffic.threads);
    for (std::size_t i = 0; i < traffic.plan.size(); ++i) {
        const Delivery& delivery = traffic.plan[i];
        const std::size_t thread = traffic.disorder
                                       ? i % traffic.threads
                                       : thread_for(traffic.events[delivery.event].object, traffic.threads);
        const std::chrono::duration<double> offset{traffic.rate > 0 ? static_cast<double>(i) / traffic.rate
                                                                    : 0.0};
        outboxes[thread].plan({.delivery = delivery,
                               .position = i,
                               .due = start + std::chrono::duration_cast<SteadyTime::duration>(offset)});
    }
    return outboxes;
}

void watch(const Run& run, std::atomic<std::size_t>& working,
           const std::function<void(const Progress&)>& report) {
    int naps = 0;
    while (working > 0) {
        std::this_thread::sleep_for(longest_nap / 2);
        if (++naps % 20 == 0) report({run.settled, run.traffic.plan.size(), run.answers});
    }
    report({run.settled, run.traffic.plan.size(), run.answers});
}

}  // namespace

ReadyRequest made_ready(const Traffic& traffic, const RequestMaker& maker, const Delivery& delivery,
                        std::size_t position, WallTime now) {
    ReadyRequest ready{.request = maker.make(traffic.events[delivery.event], delivery.kind)};
    ready.is_signed = sign_as(delivery.kind, ready.request, *traffic.signer, now, traffic.stale_by,
                              forgery_of(traffic, position));
    ready.facts = facts_of(*traffic.source, ready.request);
    return ready;
}

Tally run_traffic(const Traffic& traffic, const Clock& clock, const std::atomic<bool>& stop,
                  const std::function<void(const Progress&)>& report) {
    Journal journal{traffic.events_file};
    Run run{.traffic = traffic, .clock = clock, .stop = stop, .journal = journal};
    std::vector<std::unique_ptr<Courier>> couriers;
    for (auto& queue : outboxes_of(traffic, clock.steady())) {
        couriers.push_back(std::make_unique<Courier>(run, std::move(queue), couriers.size()));
    }
    std::atomic<std::size_t> working{couriers.size()};
    std::vector<std::jthread> threads;
    for (const auto& courier : couriers) {
        threads.emplace_back([&working, &courier = *courier] {
            courier.work();
            --working;
        });
    }
    watch(run, working, report);
    threads.clear();
    Tally tally;
    for (const auto& courier : couriers) tally.add(courier->tally());
    return tally;
}

}  // namespace sluice::ctl
