#include "consumer/relay_role/unknown_destinations.hpp"

#include <algorithm>
#include <array>

#include "consumer/relay_role/outcomes.hpp"
#include "consumer/store/driver/named_lock.hpp"

namespace sluice::consumer {
namespace {

constexpr std::chrono::hours waits_for_a_newer_file{24};
constexpr std::string_view reason = "the file has no such destination";

Result<void> give_up_slot(Outcomes& outcomes, store::Connection& connection, const store::OutboxSlot& slot,
                          const std::stop_token& stop) {
    const Sent refused{.how = Sent::How::refused, .why = std::string{reason}};
    const auto lock = store::NamedLock::acquire(connection, slot.purpose(), std::chrono::seconds{0});
    if (!lock) return Failure{lock.error()};
    std::int64_t last = 0;
    for (bool is_more = lock->has_value(); is_more && !stop.stop_requested();) {
        auto messages = store::unfinished_messages(connection, slot, last);
        if (!messages) return Failure{messages.error()};
        is_more = messages->size() == store::outbox_batch;
        if (is_more) last = messages->back().id;
        for (auto& message : *messages) {
            if (message.is_refused) continue;
            if (stop.stop_requested()) break;
            const std::array one{&message};
            if (const auto read = store::read_bodies(connection, one); !read) return read;
            if (const auto done = outcomes.write(connection, one, {&refused, 1}); !done) return done;
            message.body = {};
        }
    }
    return {};
}

}  // namespace

Result<void> give_up_unknown_destinations(Process& process, store::Connection& connection,
                                          const std::stop_token& stop) {
    const auto names = store::unfinished_destinations(connection);
    if (!names) return Failure{names.error()};
    for (const auto& name : *names) {
        if (std::ranges::contains(process.config.destinations, name, &destination::Destination::name))
            continue;
        process.log.error("destination_unknown",
                          {{"destination", name},
                           {"reason", "messages wait, and " + std::string{reason} +
                                          "; after a day without a try they are refused"}});
        const auto untouched = store::untouched_for(connection, name);
        if (!untouched) return Failure{untouched.error()};
        if (*untouched < waits_for_a_newer_file) continue;
        Outcomes outcomes{process, name, Milliseconds::max()};
        const auto slots = store::busy_slots(connection, name);
        if (!slots) return Failure{slots.error()};
        for (const int number : *slots) {
            if (const auto done = give_up_slot(outcomes, connection, {name, number}, stop); !done)
                return done;
        }
    }
    return {};
}

}  // namespace sluice::consumer
