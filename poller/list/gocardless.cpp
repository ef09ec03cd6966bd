#include <algorithm>
#include <array>
#include <utility>

#include "poller/list/known_lists.hpp"
#include "poller/list/page.hpp"
#include "poller/list/query.hpp"

// https://developer.gocardless.com/api-reference/#events-list-events and #api-usage-cursor-pagination
namespace sluice::poller {
namespace {

void add_until(Query& query, WallTime until) {
    if (until != WallTime{}) query.add("created_at[lt]", milliseconds_text(until));
}

class GoCardless final : public EventList {
public:
    [[nodiscard]] Facts facts() const override {
        // Events are archived after 18 months.
        return {.recipe = "gocardless",
                .url = "https://api.gocardless.com",
                .retention = std::chrono::days{540},
                .most = 500};
    }

    [[nodiscard]] Request request(const Ask& ask, const Wanted& /*wanted*/) const override {
        Query query{"/events"};
        query.add("limit", ask.limit);
        if (ask.what == Ask::What::newest_before) add_until(query, ask.until);
        if (ask.what == Ask::What::oldest_in) {
            query.add("created_at[gte]", milliseconds_text(ask.from));
            add_until(query, ask.until);
            // Its list begins with the newest: after is towards older events, before towards newer ones.
            if (!ask.id.empty()) query.add("after", ask.id);
        }
        if (ask.what == Ask::What::behind) query.add("before", ask.id);
        return {.target = std::move(query).target(), .headers = {{"GoCardless-Version", "2015-07-06"}}};
    }

    [[nodiscard]] Result<RawPage> read(const Ask& ask, const Wanted& wanted, std::string_view body,
                                       webhook::JsonView& view) const override {
        const bool is_forward = ask.what == Ask::What::behind;
        const PageForm form{.events = "/events",
                            .more = is_forward ? "/meta/cursors/before" : "/meta/cursors/after",
                            .id = "/id",
                            .created = "/created_at",
                            .type = {"/resource_type", "/action"}};
        return read_page(form, wanted, body, view);
    }

    /// What it says of an archived id is written nowhere; of a parameter that it does not take it says the
    /// name.
    [[nodiscard]] Fault fault(const Ask& ask, int status, std::string_view body,
                              webhook::JsonView& view) const override {
        constexpr std::array may_be_gone{400, 404, 422};
        if (ask.id.empty() || !std::ranges::contains(may_be_gone, status)) return fault_of(status);
        const auto field = word_of("/error/errors/0/field", body, view);
        return field == "before" || field == "after" ? Fault::gone : fault_of(status);
    }
};

}  // namespace

const EventList& gocardless_list() {
    static const GoCardless list;
    return list;
}

}  // namespace sluice::poller
