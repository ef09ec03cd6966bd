#include "ctl/operate/targets.hpp"

#include <algorithm>

#include "ctl/cli/database.hpp"
#include "ctl/cli/exit.hpp"
#include "ctl/entry/details.hpp"
#include "ctl/operate/plan.hpp"

namespace sluice::ctl {
namespace {

constexpr std::int64_t sample_size = 10;
constexpr std::int64_t page_size = 500;

/// Of an event, which may have died several times, what is open; an entry that was named by its own id stays.
void leave_closed_deaths_out(std::vector<store::LetterRow>& letters) {
    if (letters.size() < 2) return;
    std::erase_if(letters, [](const auto& letter) { return !letter.is_open(); });
}

}  // namespace

Targets::Targets(store::Connection& connection, const config::MysqlSettings& settings,
                 store::LetterFilter filter)
    : connection_{connection}, settings_{settings}, filter_{std::move(filter)} {}

Targets::Targets(store::Connection& connection, const config::MysqlSettings& settings,
                 const std::vector<std::string>& names)
    : connection_{connection}, settings_{settings}, is_named_{true} {
    for (const auto& name : names) {
        auto letters = letters_named(connection, settings, name);
        if (letters.empty()) throw Stopped{Exit::no, "no entry has the id " + name + ", nor has one's event"};
        leave_closed_deaths_out(letters);
        for (auto& letter : letters) {
            letter.headers.reset();
            letter.body.reset();
            named_.push_back(std::move(letter));
        }
    }
    std::ranges::sort(named_, {}, &store::LetterRow::id);
    const auto twice = std::ranges::unique(named_, {}, &store::LetterRow::id);
    named_.erase(twice.begin(), twice.end());
}

std::vector<store::LetterCount> Targets::counts() const {
    if (is_named_) return counts_of(named_);
    return value_or_stop(store::count_letters(connection_, filter_), settings_, connection_);
}

std::vector<store::LetterRow> Targets::sample() const {
    return page(sample_size, 0);
}

std::vector<store::LetterRow> Targets::next_page() {
    auto letters = page(page_size, last_);
    if (!letters.empty()) last_ = letters.back().id;
    return letters;
}

std::vector<store::LetterRow> Targets::page(std::int64_t limit, std::int64_t after) const {
    if (!is_named_) {
        return value_or_stop(store::list_letters(connection_, filter_, limit, after), settings_, connection_);
    }
    std::vector<store::LetterRow> letters;
    for (const auto& letter : named_) {
        if (letter.id > after && std::ssize(letters) < limit) letters.push_back(letter);
    }
    return letters;
}

}  // namespace sluice::ctl
