#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/result.hpp"
#include "common/webhook/body/json_view.hpp"
#include "poller/list/wanted.hpp"
#include "poller/pace/tries.hpp"
#include "poller/walk/ask.hpp"
#include "poller/walk/place.hpp"

namespace sluice::poller {

struct Header {
    std::string_view name;
    std::string_view value;
};

/// A GET, besides what all have: Host, User-Agent, Accept, and the key.
struct Request {
    std::string target;             ///< path and query
    std::vector<Header> headers{};  ///< literals
};

struct RawEvent {
    std::string_view bytes;      ///< as they are written
    std::optional<Place> place;  ///< nullopt: its id or its time cannot be read. It is for the quarantine
    bool wanted = true;          ///< false: it counts for its place alone
};

/// Oldest first, whatever the provider's order.
struct RawPage {
    std::vector<RawEvent> events;
    bool has_more = false;  ///< there are others in the direction that was asked
    std::string next{};     ///< as Page::next
};

/// A token that is longer is none: it is part of a request's target.
inline constexpr std::size_t longest_token = 8192;
/// Of the list that a recipe has, or of the first of several.
inline constexpr std::string_view main_list = "events";

/// An id that is longer is none: the checkpoint has no room for it.
inline constexpr std::size_t longest_id = 255;

/// How one provider lists events, in its words. Pure; knows no state, no clock, no network and no key; any
/// thread. A new one is a class like these, an entry in lists.cpp, and a model in tests/unit/poller/list that
/// answers its requests.
class EventList {
public:
    struct Facts {
        std::string_view recipe;
        std::string_view name = main_list;  ///< which of the recipe's lists: `poll.list`
        std::string_view url;               ///< where it is, without a path
        std::chrono::days retention{};      ///< how long it knows an event
        int most = 1;                       ///< events of a page
        bool by_time = true;          ///< false: takes `before` and `behind` only; true: all but `before`
        bool by_token = false;        ///< takes `all_in` and `one` only, whatever `by_time` says
        bool tells_delivery = false;  ///< takes Wanted::undelivered
        std::string_view key_header = "Authorization";
        std::string_view before_key = "Bearer ";
    };

    EventList() = default;
    EventList(const EventList&) = delete;
    EventList& operator=(const EventList&) = delete;
    virtual ~EventList() = default;

    [[nodiscard]] virtual Facts facts() const = 0;

    /// `ask.limit`: 1 to `most`. Only lists that are not `by_time` are asked for `behind` without an id.
    [[nodiscard]] virtual Request request(const Ask& ask, const Wanted& wanted) const = 0;

    /// The page that answers `ask`. Views live until `view` reads again. errc::unreadable_body for anything
    /// but a page, and for one that says there are more, but not where to go on: it has no place, or no
    /// token.
    [[nodiscard]] virtual Result<RawPage> read(const Ask& ask, const Wanted& wanted, std::string_view body,
                                               webhook::JsonView& view) const = 0;

    /// What a status outside 2xx says. `body`: as much as was read of it, perhaps no JSON.
    [[nodiscard]] virtual Fault fault(const Ask& ask, int status, std::string_view body,
                                      webhook::JsonView& view) const = 0;

    /// Whether an event of that type is in this list, where the account has others as well.
    [[nodiscard]] virtual bool has_type(std::string_view /*type*/) const noexcept { return true; }
};

/// All that there are, as long as the program runs.
[[nodiscard]] std::span<const EventList* const> all_lists();

/// nullptr: events of this recipe cannot be listed, or it has no list of that name.
[[nodiscard]] const EventList* list_of(std::string_view recipe, std::string_view name = main_list);

}  // namespace sluice::poller
