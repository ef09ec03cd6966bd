#include "command/config/answers.hpp"

#include <algorithm>
#include <utility>

#include "consumer/effects/effect/refused_statement.hpp"
#include "consumer/effects/effect/statement_kind.hpp"
#include "consumer/effects/outcome/ending.hpp"
#include "consumer/effects/value/placeholders.hpp"

namespace sluice::command {
namespace {

constexpr std::string_view done_word = "done";
constexpr std::string_view ignored_word = "ignored";

bool is_for_class(std::string_view outcome) {
    return outcome != done_word && outcome != ignored_word;
}

std::vector<std::string> read_columns(config::Section& section, effects::NameScope& names) {
    auto columns = section.texts("columns");
    if (columns.empty()) section.problem("columns is missing: a name for each column of the SELECT");
    for (const std::string& column : columns) {
        if (!effects::is_parameter_name(column) || names.knows(column))
            section.problem_at("columns", "'" + column +
                                              "' cannot be a name here: use one of letters, digits "
                                              "and _ that nothing else has");
        names.add({.name = column, .place = section.place()});
    }
    return columns;
}

/// Its own :names are the command's: the columns get theirs afterwards.
std::optional<AnswerSelect> read_select(config::Section section, effects::NameScope& names) {
    const auto run = section.required_text("run");
    const auto value = section.value("run");
    AnswerSelect select{.place = value ? value->place() : section.place(), .text = {}, .columns = {}};
    const auto single = effects::single_select(run);
    if (!run.empty() && !single) value->problem(single.error());
    if (!run.empty() && single) {
        auto prepared = effects::read_prepared(*single, names, *value);
        if (prepared) select.text = std::move(*prepared);
    }
    select.columns = read_columns(section, names);
    return select;
}

}  // namespace

bool is_storable(std::int64_t status) noexcept {
    return status / 100 == 2 || status / 100 == 4;
}

bool says_again(std::int64_t status) noexcept {
    return status == 408 || status == 425 || status == 429;
}

Answers Answers::read(const config::Value& answers, effects::NameScope& names) {
    Answers read;
    if (!answers.is_mapping()) {
        answers.problem("answers must be a mapping, as in {done: {status: 200, body: {…}}}");
        return read;
    }
    // `done` comes last: the names of its columns are for no other.
    for (const bool is_done : {false, true}) {
        for (const auto& [key, value] : answers.entries())
            if ((key.scalar() == done_word) == is_done)
                read.read_one(key.scalar(), config::Section{value, "answers." + key.scalar()}, names);
    }
    read.check_classes(answers, names);
    return read;
}

void Answers::read_one(const std::string& outcome, config::Section section, effects::NameScope& names) {
    Template one{.outcome = outcome, .body = nullptr, .place = section.place()};
    if (named(outcome) != nullptr) section.problem("there are two answers for " + outcome);
    const auto status = section.integer("status", outcome == done_word ? 200 : 409, 0, 999);
    if (!is_storable(status))
        section.problem_at("status",
                           "status must be from 200 to 299 or from 400 to 499: what is stored is an answer, "
                           "and no failure");
    if (says_again(status))
        section.problem_at("status",
                           "status cannot be 408, 425 or 429: to callers they mean that the same may "
                           "be sent again, and this answer stays");
    one.status = static_cast<int>(status);
    if (section.has("select")) {
        if (outcome == done_word)
            select_ = read_select(section.section("select"), names);
        else
            section.problem_at("select", "only the answer done can have a select");
    }
    const auto body = section.value("body");
    if (!body) section.problem("body is missing: what the answer says, as in {charged: \":price\"}");
    if (body) one.body = effects::MessageBody::read(*body, names);
    if (one.body && one.body->least_size() > longest_response)
        body->problem("an answer has at most 64 KiB, since it is stored with its key");
    all_.push_back(std::move(one));
}

void Answers::check_classes(const config::Value& answers, const effects::NameScope& names) const {
    if (named(done_word) == nullptr) answers.problem("answers needs an answer for done");
    for (const auto& [name, place] : names.cases())
        if (named(name) == nullptr)
            answers.problems().add(place,
                                   "the command may end with " + name + ", and answers has none for it");
    for (const Template& one : all_) {
        if (!is_for_class(one.outcome)) continue;
        if (!std::ranges::contains(names.cases(), one.outcome, &effects::NameScope::Case::case_class))
            answers.problems().add(one.place, "the command never ends with " + one.outcome +
                                                  ": nothing in its effect says park: " + one.outcome);
    }
}

const Answers::Template* Answers::named(std::string_view outcome) const {
    const auto found = std::ranges::find(all_, outcome, &Template::outcome);
    return found == all_.end() ? nullptr : &*found;
}

const Answers::Template* Answers::of(const effects::Verdict& verdict) const {
    using effects::Outcome;
    if (verdict.error) return nullptr;
    if (verdict.outcome == Outcome::done) return named(done_word);
    if (verdict.outcome == Outcome::ignore) {
        const auto* own = named(ignored_word);
        return own != nullptr ? own : named(done_word);
    }
    if (verdict.outcome != Outcome::park || verdict.case_class.empty()) return nullptr;
    return named(verdict.case_class);
}

Result<void> Answers::check(const std::string& command, store::Connection& connection,
                            config::Problems& problems, std::vector<effects::Lack>& missing) const {
    if (!select_) return {};
    const auto prepared = connection.check(select_->text.text);
    if (!prepared && !note_refused(command, select_->place, connection.last_error(), problems, missing))
        return Failure{prepared.error()};
    if (!prepared) return {};
    const auto columns = connection.comparisons(select_->text.text);
    if (!columns) return Failure{columns.error()};
    if (columns->size() != select_->columns.size())
        problems.add(select_->place, "the SELECT gives " + std::to_string(columns->size()) +
                                         " columns, and columns names " +
                                         std::to_string(select_->columns.size()));
    return {};
}

std::expected<Response, std::string> response_from(const Answers::Template& answer,
                                                   const effects::EventValues& values) {
    std::pmr::monotonic_buffer_resource made;
    const auto body = answer.body->make(values, made);
    if (!body) return std::unexpected("the answer cannot be made: " + body.error().message());
    const auto text = std::get<std::string_view>(*body);
    if (text.size() > longest_response) return std::unexpected("the answer is longer than 64 KiB");
    return Response{.status = answer.status, .body = std::string{text}};
}

}  // namespace sluice::command
