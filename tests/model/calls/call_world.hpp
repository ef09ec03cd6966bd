#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// One key of a command that is a call: requests, a settler, a record, and a service that does what it likes.
/// Time is what may happen next: a pause is a long time in which others do something.
namespace sluice::command::model {

/// What is left out, to see that the search finds it.
enum class Planted : std::uint8_t {
    nothing,
    no_fence,           ///< whoever has an end writes it
    expiry_is_free,     ///< a lease that is over lets the next one call
    told_before_saved,  ///< the caller is told before the record is written
    sent_before_saved,  ///< the service is called before the record says so
    print_forgotten,    ///< the fingerprint goes when the call ends
    anybody_deletes     ///< who was overtaken deletes the key
};

struct Setting {
    Planted planted = Planted::nothing;
    bool has_query = true;
    bool heeds_fences = true;  ///< the service refuses what comes under a lower fence than it has seen
    int requests = 2;          ///< with the first fingerprint; one more has another
    int crashes = 1;
    int fences = 3;  ///< leases end until then; more of them repeat what was
};

enum class At : std::uint8_t { new_one, looked, begun, sent, unknown, asking, ending, overtaken, over };
enum class End : std::uint8_t { none, done, failed, given_up };
enum class Heard : std::uint8_t { nothing, response, not_executed, not_known, mismatch, in_progress };

/// A record as it stands, or as somebody saw it.
struct Saved {
    bool is_there = false;
    End end = End::none;  ///< none: in progress
    std::int8_t owner = 0;
    std::int8_t fence = 0;
    std::int8_t print = 0;  ///< 0: forgotten
    std::int8_t response = 0;
    bool is_due = false;

    auto operator<=>(const Saved&) const = default;
};

struct Actor {
    At at = At::new_one;
    std::int8_t print = 1;  ///< 0: the settler
    std::int8_t fence = 0;
    Saved seen{};
    End end = End::none;
    std::int8_t response = 0;
    Heard heard = Heard::nothing;
    bool was_sent = false;  ///< its call
    std::int8_t sent_under = 0;
    std::int8_t executed = 0;  ///< what its call was answered with; 0: not executed
    bool is_lost = false;      ///< its call will not be executed any more

    auto operator<=>(const Actor&) const = default;
};

inline constexpr std::size_t most_actors = 5;

struct World {
    Saved saved{};
    std::array<Actor, most_actors> actors{};
    std::int8_t executions = 0;
    std::int8_t first = 0;          ///< response of the first execution
    std::int8_t highest_fence = 0;  ///< that the service has seen
    std::int8_t absents = 0;        ///< ends that were written because the query said absent
    std::int8_t crashes = 0;
    bool was_lied_to = false;  ///< somebody heard that nothing was executed, and it was

    auto operator<=>(const World&) const = default;
};

[[nodiscard]] World begin_of(const Setting& setting);
[[nodiscard]] std::vector<World> next_of(const World& world, const Setting& setting);
/// What must never be, as a sentence.
[[nodiscard]] std::optional<std::string> wrong_in(const World& world, const Setting& setting);

struct Searched {
    std::size_t worlds = 0;
    std::optional<std::string> wrong{};
};
/// Every world that can come about.
[[nodiscard]] Searched search(const Setting& setting);

}  // namespace sluice::command::model
