#include "ctl/operate/targets.hpp"

#include <algorithm>
#include <functional>
#include <ranges>

#include "ctl/cli/database.hpp"
#include "ctl/cli/exit.hpp"
#include "ctl/entry/details.hpp"
#include "ctl/operate/entry_plan.hpp"
#include "ctl/operate/run_id.hpp"

namespace sluice::ctl {
namespace {

constexpr std::int64_t sample_size = 10;
constexpr std::int64_t page_size = 500;

/// Of an event, which may have died several times, what is open; an entry that was named by its own id stays.
void leave_closed_deaths_out(std::vector<store::DeadLetterRow>& dead_letters) {
    if (dead_letters.size() < 2) return;
    std::erase_if(dead_letters, [](const auto& dead_letter) { return !dead_letter.is_open(); });
}

}  // namespace

Targets::Targets(store::Connection& connection, const config::MysqlSettings& settings,
                 store::DeadLetterFilter filter)
    : connection_{connection}, settings_{settings}, filter_{std::move(filter)} {}

Targets::Targets(store::Connection& connection, const config::MysqlSettings& settings,
                 const std::vector<std::string>& names)
    : connection_{connection}, settings_{settings}, is_named_{true} {
    for (const auto& name : names) {
        auto dead_letters = dead_letters_named(connection, settings, name);
        if (dead_letters.empty())
            throw Stopped{Exit::no, "no entry has the id " + name + ", and no entry's event has it"};
        leave_closed_deaths_out(dead_letters);
        for (auto& dead_letter : dead_letters) {
            dead_letter.headers.reset();
            dead_letter.body.reset();
            named_.push_back(std::move(dead_letter));
        }
    }
    std::ranges::sort(named_, {}, &store::DeadLetterRow::id);
    const auto twice = std::ranges::unique(named_, {}, &store::DeadLetterRow::id);
    named_.erase(twice.begin(), twice.end());
}

std::vector<store::DeadLetterCount> Targets::counts() const {
    if (is_named_) return counts_of(named_);
    return value_or_stop(store::count_dead_letters(connection_, filter_), settings_, connection_);
}

std::vector<store::DeadLetterRow> Targets::sample() const {
    return page(sample_size, 0);
}

std::vector<store::DeadLetterRow> Targets::next_page() {
    auto dead_letters = page(page_size, last_);
    if (!dead_letters.empty()) last_ = dead_letters.back().id;
    return dead_letters;
}

std::vector<store::HeldLane> Targets::held_lanes() const {
    if (!is_named_) return value_or_stop(store::lanes_held_by(connection_, filter_), settings_, connection_);
    std::vector<store::HeldLane> lanes;
    for (const auto& dead_letter : named_) {
        const auto its = value_or_stop(
            store::lanes_held_by(connection_, {.highest_id = dead_letter.id}, dead_letter.id - 1), settings_,
            connection_);
        lanes.insert(lanes.end(), its.begin(), its.end());
    }
    return lanes;
}

std::int64_t Targets::waiting_behind() {
    std::map<crypto::Digest, std::int64_t> behind;
    for (const auto& held : held_lanes()) {
        tails_[held.lane] = held.last;
        behind.try_emplace(held.lane, held.unfinished).first->second -= held.entries;
    }
    return std::ranges::fold_left(behind | std::views::values, std::int64_t{0}, std::plus{});
}

bool Targets::is_wanted(const store::DeadLetterRow& row,
                        const std::vector<store::DeadLetterCount>& counts) const {
    const auto tail = row.place ? tails_.find(row.place->lane) : tails_.end();
    if (tail == tails_.end() || row.place->position > tail->second) return false;
    return std::ranges::any_of(counts, [&](const auto& count) {
        return count.kind == row.kind && count.error_class == row.error_class;
    });
}

std::vector<store::DeadLetterRow> Targets::come_up(const store::ActionId& run,
                                                   const std::vector<store::DeadLetterCount>& counts) {
    store::DeadLetterFilter filter = filter_;
    filter.highest_id = store::DeadLetterFilter{}.highest_id;
    filter.behind_run = run;
    filter.above_id = highest_entry_of(run).value_or(0);  // what stood there was not chosen
    std::vector<store::DeadLetterRow> wanted;
    std::int64_t after = 0;
    bool is_last = false;
    while (!is_last && std::ssize(wanted) < page_size) {
        auto opened = value_or_stop(store::list_dead_letters(connection_, filter, page_size, after),
                                    settings_, connection_);
        is_last = std::ssize(opened) < page_size;
        for (auto& row : opened) {
            after = row.id;
            if (is_wanted(row, counts) && came_up_.insert(row.id).second) wanted.push_back(std::move(row));
        }
    }
    return wanted;
}

std::vector<store::DeadLetterRow> Targets::page(std::int64_t limit, std::int64_t after) const {
    if (!is_named_) {
        return value_or_stop(store::list_dead_letters(connection_, filter_, limit, after), settings_,
                             connection_);
    }
    std::vector<store::DeadLetterRow> dead_letters;
    for (const auto& dead_letter : named_) {
        if (dead_letter.id > after && std::ssize(dead_letters) < limit) dead_letters.push_back(dead_letter);
    }
    return dead_letters;
}

}  // namespace sluice::ctl
