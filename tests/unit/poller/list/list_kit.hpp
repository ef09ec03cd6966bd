#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "poller/list/event_list.hpp"

namespace sluice::poller {

struct Sample {
    std::string id;
    WallTime created{};
    std::string type;
};

/// The parameters of a request. One that comes twice has both values.
using Parameters = std::map<std::string, std::vector<std::string>, std::less<>>;

/// What a provider has, and how it answers in its own words. One class for each list; it knows the provider's
/// pages on the web, and nothing of the list's code.
class ModelList {
public:
    ModelList() = default;
    ModelList(const ModelList&) = delete;
    ModelList& operator=(const ModelList&) = delete;
    virtual ~ModelList() = default;

    /// How exact its times are.
    [[nodiscard]] virtual WallTime rounded(WallTime time) const = 0;
    /// One event as it writes it.
    [[nodiscard]] virtual std::string written(const Sample& event) const = 0;
    /// A page; what it asks of a request is asserted.
    [[nodiscard]] virtual std::string answer(const Request& request) const = 0;
    /// A page of these elements, as they are.
    [[nodiscard]] virtual std::string page(const std::vector<std::string>& elements, bool has_more) const = 0;
    /// Of an id that it has forgotten.
    struct Refusal {
        int status = 0;
        std::string body;
    };
    [[nodiscard]] virtual Refusal gone() const = 0;
    /// Of members.
    struct Names {
        std::string id;                    ///< of an event
        std::string created;               ///< of an event
        std::vector<std::string> of_page;  ///< without which it is none
    };
    [[nodiscard]] virtual Names names() const = 0;

    std::vector<Sample> events;  ///< oldest first
};

/// nullptr: write one.
[[nodiscard]] std::unique_ptr<ModelList> model_of(const EventList& list);
[[nodiscard]] std::unique_ptr<ModelList> stripe_model();
[[nodiscard]] std::unique_ptr<ModelList> stripe_thin_model();
[[nodiscard]] std::unique_ptr<ModelList> gocardless_model();
[[nodiscard]] std::unique_ptr<ModelList> paddle_model();

/// Of a target that begins with `path`. Parameters that are not `known` are failures.
[[nodiscard]] Parameters parameters_of(std::string_view target, std::string_view path,
                                       const std::vector<std::string>& known);
/// Empty where it is not there; a failure where it is there twice.
[[nodiscard]] std::string one(const Parameters& parameters, std::string_view name);
/// A limit from 1 to `most`.
[[nodiscard]] std::size_t limit_of(const Parameters& parameters, std::string_view name, std::size_t most);

/// Part of a list, and whether there are events beyond it. Oldest first.
struct Part {
    std::vector<Sample> events;
    bool has_newer = false;
    bool has_older = false;
};
/// The `limit` oldest of those behind `id`; behind nothing where it is empty.
[[nodiscard]] Part next_to(const std::vector<Sample>& events, std::string_view id, std::size_t limit);
/// The `limit` newest of those before `id`; of all where it is empty.
[[nodiscard]] Part newest_before(const std::vector<Sample>& events, std::string_view id, std::size_t limit);

/// Its elements, newest first or oldest first.
[[nodiscard]] std::vector<std::string> elements_of(const ModelList& model, const std::vector<Sample>& events,
                                                   bool newest_first);
[[nodiscard]] std::string joined_array(const std::vector<std::string>& elements);

[[nodiscard]] Ask newest_before(WallTime until);
[[nodiscard]] Ask behind(std::string_view id, int limit);
[[nodiscard]] Ask before(std::string_view id, int limit);
/// Without an end where `until` is WallTime{}; from the newest on where `before` is empty.
[[nodiscard]] Ask window(WallTime from, WallTime until, int limit, std::string_view before = "");

/// Without an end where `until` is WallTime{}; the first page.
[[nodiscard]] Ask all_in(WallTime from, WallTime until, int limit);

/// Of the recipe, and of the list where it is not the recipe's main one.
[[nodiscard]] std::string name_of_model(const testing::TestParamInfo<const EventList*>& parameter);

/// How a list can be asked: by ids, and by time as well or not; or by the tokens of its pages.
enum class By : std::uint8_t { time, ids, tokens };
[[nodiscard]] By asked_by(const EventList& list);
[[nodiscard]] std::vector<const EventList*> lists(By by);
/// All that have places.
[[nodiscard]] std::vector<const EventList*> placed_lists();

/// A list and a model of its provider. Every list passes these tests.
class ListTest : public testing::TestWithParam<const EventList*> {
protected:
    void SetUp() override;

    /// `count` events, of which some were created in one second.
    void fill(std::size_t count);
    /// What the list reads of the model's answer.
    Result<RawPage> ask(const Ask& ask, const Wanted& wanted = {});
    /// Of a page that `ask` answers.
    Result<RawPage> read(std::string body, const Wanted& wanted = {});
    [[nodiscard]] static std::vector<std::string> ids_of(const RawPage& page);
    [[nodiscard]] std::vector<std::string> ids(std::size_t from, std::size_t until) const;
    [[nodiscard]] int most() const { return list->facts().most; }
    /// Each kind of question that the list is asked, about the second event of the model.
    [[nodiscard]] std::vector<Ask> every_ask();
    /// All events of the model but the first one.
    [[nodiscard]] Ask all_but_the_first() const;
    /// A question that names an id or a token.
    [[nodiscard]] Ask from_somewhere() const;

    const EventList* list = nullptr;
    std::unique_ptr<ModelList> model;

private:
    std::string body_;
    webhook::JsonView view_;
};

class PlacedListTest : public ListTest {};
class TimedListTest : public ListTest {};
class UntimedListTest : public ListTest {};
class TokenListTest : public ListTest {};

}  // namespace sluice::poller
