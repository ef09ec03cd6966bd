#include "common/config/section.hpp"

#include <algorithm>
#include <exception>
#include <map>

#include "common/config/nearest_key.hpp"
#include "common/config/scalar_text.hpp"

namespace sluice::config {

struct Section::State {
    struct Entry {
        Value key;
        Value value;
        bool asked_for = false;
    };

    Value self;
    Place place;
    std::map<std::string, Entry, std::less<>> entries;
    std::vector<std::string> known;  // each key that was asked for, present or not
    int exceptions = std::uncaught_exceptions();

    explicit State(const Value& value) : self{value}, place{value.place()} {}

    void ask(std::string_view key) {
        if (std::ranges::find(known, key) == known.end()) known.emplace_back(key);
        if (const auto found = entries.find(key); found != entries.end()) found->second.asked_for = true;
    }

    [[nodiscard]] const Value* find(std::string_view key) const {
        const auto found = entries.find(key);
        return found == entries.end() ? nullptr : &found->second.value;
    }
};

Section::Section(const Value& value, std::string path)
    : state_{std::make_unique<State>(value)}, path_{std::move(path)} {
    if (!value.is_mapping() && !value.node_.IsNull()) {
        value.problem((path_.empty() ? "this" : path_) + " must be a mapping, such as {key: value}");
    }
    for (const auto& [key, entry] : value.entries()) {
        state_->entries.emplace(key.scalar(), State::Entry{key, entry});
    }
}

Section::Section(Section&&) noexcept = default;

Section::~Section() {
    // During an exception the reader was cut short: what it did not ask for proves nothing.
    if (state_ == nullptr || std::uncaught_exceptions() > state_->exceptions) return;
    for (const auto& [name, entry] : state_->entries) {
        if (!entry.asked_for) {
            entry.key.problem(name_of(name) + " is not a known key; " + hint(name, state_->known));
        }
    }
}

Place Section::place() const {
    return state_->place;
}

bool Section::has(std::string_view key) {
    return value(key).has_value();
}

std::optional<Value> Section::value(std::string_view key) {
    state_->ask(key);
    const auto* const found = state_->find(key);
    if (found == nullptr || found->node_.IsNull()) return std::nullopt;
    return *found;
}

Section Section::section(std::string_view key) {
    if (const auto found = value(key)) return Section{*found, name_of(key)};
    const auto& self = state_->self;
    Section empty{Value{YAML::Node{}, self.file_, self.problems()}, name_of(key)};
    empty.state_->place = place();
    return empty;
}

std::vector<Section> Section::sections(std::string_view key) {
    std::vector<Section> sections;
    const auto list = value(key);
    if (!list) return sections;
    if (!list->is_list()) refuse(key, "be a list of mappings");
    const auto items = list->items();
    sections.reserve(items.size());
    for (std::size_t i = 0; i < items.size(); ++i) {
        sections.emplace_back(items[i], name_of(key) + "[" + std::to_string(i) + "]");
    }
    return sections;
}

void Section::problem(const std::string& sentence) const {
    state_->self.problems().add(place(), sentence);
}

void Section::problem_at(std::string_view key, const std::string& sentence) const {
    const auto* const found = state_->find(key);
    const auto where = found == nullptr ? place() : found->place();
    state_->self.problems().add(where, sentence);
}

void Section::refuse(std::string_view key, const std::string& must) const {
    problem_at(key, name_of(key) + " must " + must);
}

void Section::warn(const std::string& sentence) const {
    state_->self.problems().warn(place(), sentence);
}

void Section::leave_unread(std::string_view key) {
    state_->ask(key);
}

std::string Section::name_of(std::string_view key) const {
    return path_.empty() ? std::string{key} : path_ + "." + std::string{key};
}

}  // namespace sluice::config
