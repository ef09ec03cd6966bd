#include "consumer/relay_role/destination_relay.hpp"

#include <algorithm>

#include "common/failpoint.hpp"
#include "common/thread_name.hpp"
#include "consumer/destination/webhook_signature.hpp"
#include "consumer/relay_role/topic_sender.hpp"
#include "consumer/relay_role/url_sender.hpp"
#include "consumer/store/driver/named_lock.hpp"

namespace sluice::consumer {
namespace {

constexpr Milliseconds between_looks{200};
constexpr Milliseconds least_between_looks{20};  // however often commits wake it
// One message of each slot is tried meanwhile.
constexpr std::chrono::seconds longest_round_in_trouble{5};
constexpr Milliseconds longest_between_looks{5'000};
constexpr Milliseconds only_when_rung = std::chrono::hours{1};  // of tests

std::unique_ptr<Sender> sender_for(Process& process, const destination::Destination& destination) {
    if (const auto* topic = std::get_if<destination::Topic>(&destination.to))
        return std::make_unique<TopicSender>(topic->name, *process.publisher, process.clock);
    const auto& url = std::get<destination::Url>(destination.to);
    config::Problems problems;
    auto keys = signing_keys(url.secrets, problems);
    if (problems.any()) throw config::Refused{problems.report()};
    return url_sender(url, process.clock, std::move(keys));
}

Milliseconds horizon_of(const destination::Destination& destination) {
    const auto* url = std::get_if<destination::Url>(&destination.to);
    return url != nullptr ? url->horizon : Milliseconds::max();
}

}  // namespace

DestinationRelay::DestinationRelay(Process& process, const destination::Destination& destination)
    : process_{process},
      name_{destination.name},
      sender_{sender_for(process, destination)},
      random_{std::random_device{}()},
      database_{process.config.mysql, process.log, process.readiness,
                process.clock,        random_,     process.server_moves},
      outcomes_{process, destination.name, horizon_of(destination)},
      oldest_{
          process.metrics.gauge("sluice_relay_oldest_seconds",
                                "Age of the oldest message that waits and that no refused one holds; 0: none",
                                {{"destination", name_}})},
      resting_{process.metrics.gauge(
          "sluice_relay_destination_in_trouble",
          "1: out of reach, or five messages in a row were not taken; one is tried at a time",
          {{"destination", name_}})},
      last_turn_{process.clock.steady()},
      thread_{[this](const std::stop_token& stop) { run(stop); }} {}

DestinationRelay::~DestinationRelay() = default;

void DestinationRelay::run(const std::stop_token& stop) {
    name_this_thread("relay");
    while (!stop.stop_requested()) {
        const SteadyTime began = process_.clock.steady();
        last_turn_ = began;
        const std::uint64_t rings = process_.bell.rings();
        End done = End::idle;
        const bool was_open = circuit_.is_open();
        if (auto* connection = database_.ready()) done = turn(*connection, stop);
        show_oldest();
        show_circuit(was_open);
        wait(stop, done, process_.clock.steady() - began, rings);
    }
}

void DestinationRelay::wait(const std::stop_token& stop, End turn, SteadyTime::duration took,
                            std::uint64_t rings) {
    if (turn == End::worked) return;
    if (circuit_.is_open()) {
        const Milliseconds rest = circuit_.rest(random_);
        return process_.bell.wait(stop, rings, rest, rest);
    }
    // Many that wait behind refused ones take long to look through: MySQL is left alone for nine tenths.
    const Milliseconds least =
        std::clamp(std::chrono::ceil<Milliseconds>(took * 9), least_between_looks, longest_between_looks);
    const Milliseconds most = FP("consumer.relay_waits") ? only_when_rung : std::max(least, between_looks);
    process_.bell.wait(stop, rings, least, most);
}

DestinationRelay::End DestinationRelay::lost(const store::Connection& connection) {
    database_.failed("relay: " + connection.last_error().message);
    return End::lost;
}

// Its slot's lock goes with the session, which the server ends when it says nothing for long.
bool DestinationRelay::outlives_a_call(store::Connection& connection) {
    if (session_ == database_.session()) return true;
    const auto longest = std::chrono::ceil<std::chrono::seconds>(sender_->longest_call());
    if (!connection.set_idle_limit(longest + store::idle_limit)) return false;
    session_ = database_.session();
    return true;
}

DestinationRelay::End DestinationRelay::turn(store::Connection& connection, const std::stop_token& stop) {
    if (!outlives_a_call(connection)) return lost(connection);
    auto slots = store::busy_slots(connection, name_);
    if (!slots) return lost(connection);
    database_.worked();
    std::erase_if(oldest_by_slot_,
                  [&](const auto& each) { return !std::ranges::contains(*slots, each.first); });
    knows_the_destination_ = false;
    // Relays that begin at one slot would all wait for the first.
    std::ranges::shuffle(*slots, random_);
    End all = End::idle;
    const SteadyTime until = process_.clock.steady() + longest_round_in_trouble;
    for (const int number : *slots) {
        if (stop.stop_requested()) break;
        last_turn_ = process_.clock.steady();
        const End one = visit(connection, {name_, number}, stop);
        if (one == End::lost) return one;
        if (one == End::worked) all = one;
        if (circuit_.is_open() && process_.clock.steady() > until) break;
    }
    if (!knows_the_destination_) circuit_.forget();
    return circuit_.is_open() ? End::resting : all;
}

DestinationRelay::End DestinationRelay::visit(store::Connection& connection, const store::OutboxSlot& slot,
                                              const std::stop_token& stop) {
    const auto lock = store::NamedLock::acquire(connection, slot.purpose(), std::chrono::seconds{0});
    if (!lock) return lost(connection);
    oldest_by_slot_[slot.number] = {};
    if (!*lock) {  // another relay is there, and tells of its age
        knows_the_destination_ = true;
        return End::idle;
    }
    SlotVisit visit{connection, *sender_, outcomes_, circuit_, process_.clock, random_, stop};
    const End end = visit.run(slot, [this] { last_turn_ = process_.clock.steady(); });
    oldest_by_slot_[slot.number] = visit.oldest();
    knows_the_destination_ = knows_the_destination_ || visit.knows_the_destination();
    return end == End::lost ? lost(connection) : end;
}

void DestinationRelay::show_oldest() {
    std::chrono::seconds oldest{0};
    for (const auto& [slot, age] : oldest_by_slot_) oldest = std::max(oldest, age);
    oldest_.Set(static_cast<double>(oldest.count()));
}

void DestinationRelay::show_circuit(bool was_open) {
    resting_.Set(circuit_.is_open() ? 1 : 0);
    if (circuit_.is_open() && !was_open)
        process_.log.warn("destination_in_trouble", {{"destination", name_}, {"reason", circuit_.why()}});
    if (!circuit_.is_open() && was_open) process_.log.info("destination_works", {{"destination", name_}});
}

}  // namespace sluice::consumer
