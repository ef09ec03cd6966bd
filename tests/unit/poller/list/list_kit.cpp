#include "tests/unit/poller/list/list_kit.hpp"

#include <algorithm>
#include <charconv>
#include <format>
#include <iterator>
#include <ranges>

namespace sluice::poller {
namespace {

std::string decoded(std::string_view text) {
    std::string plain;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] != '%') {
            plain += text[at];
            continue;
        }
        unsigned int byte = 0;
        const auto digits = text.substr(at + 1, 2);
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
        EXPECT_TRUE(error == std::errc{} && end == digits.data() + 2) << text;
        plain += static_cast<char>(byte);
        at += 2;
    }
    return plain;
}

std::size_t index_of(const std::vector<Sample>& events, std::string_view id) {
    const auto found = std::ranges::find(events, id, &Sample::id);
    EXPECT_NE(found, events.end()) << id << " is no event";
    return static_cast<std::size_t>(found - events.begin());
}

Part part(const std::vector<Sample>& events, std::size_t from, std::size_t until) {
    const auto at = [&](std::size_t index) { return events.begin() + static_cast<std::ptrdiff_t>(index); };
    return {.events = {at(from), at(until)}, .has_newer = until < events.size(), .has_older = from > 0};
}

}  // namespace

std::unique_ptr<ModelList> model_of(const EventList& list) {
    const auto [recipe, name] = std::pair{list.facts().recipe, list.facts().name};
    if (recipe == "stripe") return name == main_list ? stripe_model() : stripe_thin_model();
    if (recipe == "gocardless") return gocardless_model();
    if (recipe == "paddle") return paddle_model();
    return nullptr;
}

Parameters parameters_of(std::string_view target, std::string_view path,
                         const std::vector<std::string>& known) {
    const auto question = target.find('?');
    EXPECT_EQ(target.substr(0, question), path);
    EXPECT_TRUE(std::ranges::all_of(target, [](char c) { return c > ' ' && c < '\x7f' && c != '#'; }))
        << target;
    Parameters parameters;
    if (question == std::string_view::npos) return parameters;
    for (const auto part : std::views::split(target.substr(question + 1), '&')) {
        const std::string_view text{part};
        const auto equals = text.find('=');
        const std::string name = decoded(text.substr(0, equals));
        EXPECT_TRUE(std::ranges::contains(known, name)) << name;
        parameters[name].push_back(decoded(text.substr(equals + 1)));
    }
    return parameters;
}

std::string one(const Parameters& parameters, std::string_view name) {
    const auto found = parameters.find(name);
    if (found == parameters.end()) return {};
    EXPECT_EQ(found->second.size(), 1U) << name;
    EXPECT_FALSE(found->second.front().empty()) << name;
    return found->second.front();
}

std::size_t limit_of(const Parameters& parameters, std::string_view name, std::size_t most) {
    const std::size_t limit = std::stoul(one(parameters, name));
    EXPECT_GE(limit, 1U);
    EXPECT_LE(limit, most);
    return limit;
}

Part next_to(const std::vector<Sample>& events, std::string_view id, std::size_t limit) {
    const std::size_t from = id.empty() ? 0 : index_of(events, id) + 1;
    return part(events, from, std::min(from + limit, events.size()));
}

Part newest_before(const std::vector<Sample>& events, std::string_view id, std::size_t limit) {
    const std::size_t until = id.empty() ? events.size() : index_of(events, id);
    return part(events, until - std::min(until, limit), until);
}

std::vector<std::string> elements_of(const ModelList& model, const std::vector<Sample>& events,
                                     bool newest_first) {
    std::vector<std::string> elements;
    for (const auto& event : events) elements.push_back(model.written(event));
    if (newest_first) std::ranges::reverse(elements);
    return elements;
}

std::string joined_array(const std::vector<std::string>& elements) {
    std::string array = "[";
    for (const auto& element : elements) array += (array.size() > 1 ? ",\n  " : "\n  ") + element;
    return array + "\n]";
}

Ask newest_before(WallTime until) {
    Ask ask;
    ask.what = Ask::What::newest_before;
    ask.until = until;
    ask.limit = 1;
    return ask;
}

Ask behind(std::string_view id, int limit) {
    Ask ask;
    ask.what = Ask::What::behind;
    ask.id = id;
    ask.limit = limit;
    return ask;
}

Ask before(std::string_view id, int limit) {
    Ask ask = behind(id, limit);
    ask.what = Ask::What::before;
    return ask;
}

Ask window(WallTime from, WallTime until, int limit, std::string_view before) {
    Ask ask = behind(before, limit);
    ask.what = Ask::What::oldest_in;
    ask.from = from;
    ask.until = until;
    return ask;
}

Ask all_in(WallTime from, WallTime until, int limit) {
    Ask ask = window(from, until, limit);
    ask.what = Ask::What::all_in;
    return ask;
}

std::string name_of_model(const testing::TestParamInfo<const EventList*>& parameter) {
    const EventList::Facts facts = parameter.param->facts();
    return std::string{facts.recipe} + (facts.name == main_list ? "" : "_" + std::string{facts.name});
}

By asked_by(const EventList& list) {
    if (list.facts().by_token) return By::tokens;
    return list.facts().by_time ? By::time : By::ids;
}

std::vector<const EventList*> lists(By by) {
    std::vector<const EventList*> found;
    for (const auto* list : all_lists())
        if (asked_by(*list) == by) found.push_back(list);
    return found;
}

std::vector<const EventList*> placed_lists() {
    auto found = lists(By::time);
    std::ranges::copy(lists(By::ids), std::back_inserter(found));
    return found;
}

void ListTest::SetUp() {
    list = GetParam();
    model = model_of(*list);
    ASSERT_TRUE(model) << "list_kit.cpp has no model of " << list->facts().recipe;
}

void ListTest::fill(std::size_t count) {
    const WallTime begin = std::chrono::sys_days{std::chrono::year{2026} / 11 / 28};
    for (std::size_t number = model->events.size(); number < count; ++number) {
        const auto created = begin + std::chrono::milliseconds{300} * number;
        model->events.push_back({.id = std::format("evt_{:05}", number),
                                 .created = model->rounded(created),
                                 .type = number % 3 == 0 ? "refunds.paid" : "payments.confirmed"});
    }
}

Result<RawPage> ListTest::ask(const Ask& ask, const Wanted& wanted) {
    body_ = model->answer(list->request(ask, wanted));
    return list->read(ask, wanted, body_, view_);
}

Result<RawPage> ListTest::read(std::string body, const Wanted& wanted) {
    body_ = std::move(body);
    return list->read(behind("evt_0", most()), wanted, body_, view_);
}

std::vector<Ask> ListTest::every_ask() {
    const std::string_view id = model->events[1].id;
    const WallTime from = model->events[1].created - std::chrono::minutes{1};
    const WallTime until = model->events[1].created + std::chrono::minutes{1};
    switch (asked_by(*list)) {
        case By::ids:
            return {before("", most()), before(id, most()), behind("", most()), behind(id, most())};
        case By::time:
            return {newest_before(from), window(from, until, most()), window(from, until, most(), id),
                    window(from, {}, most()), behind(id, most())};
        case By::tokens:
            break;
    }
    Ask second = all_in(from, until, 1);
    second.page = ask(second).value().next;
    return {all_in(from, until, most()), all_in(from, {}, most()), second};
}

Ask ListTest::all_but_the_first() const {
    if (list->facts().by_token) return all_in(model->events[1].created, {}, most());
    return behind(model->events[0].id, most());
}

Ask ListTest::from_somewhere() const {
    Ask ask = behind("evt_1", 1);
    if (!list->facts().by_token) return ask;
    ask = all_in(WallTime{}, {}, 1);
    ask.page = "a page that was";
    return ask;
}

std::vector<std::string> ListTest::ids_of(const RawPage& page) {
    std::vector<std::string> ids;
    for (const auto& event : page.events) ids.push_back(event.place ? event.place->id : "");
    return ids;
}

std::vector<std::string> ListTest::ids(std::size_t from, std::size_t until) const {
    std::vector<std::string> ids;
    for (std::size_t number = from; number < until; ++number) ids.push_back(model->events.at(number).id);
    return ids;
}

}  // namespace sluice::poller
