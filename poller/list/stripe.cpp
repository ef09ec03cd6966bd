#include <utility>

#include "poller/list/known_lists.hpp"
#include "poller/list/page.hpp"
#include "poller/list/query.hpp"

// https://docs.stripe.com/api/events/list and https://docs.stripe.com/api/pagination
namespace sluice::poller {
namespace {

constexpr std::size_t most_types = 20;  // of its filter

/// Its times are whole seconds, so both bounds keep their meaning when they are rounded up.
std::int64_t unix_seconds(WallTime time) {
    return std::chrono::ceil<std::chrono::seconds>(time).time_since_epoch().count();
}

void add_window(Query& query, const Ask& ask) {
    query.add("created[gte]", unix_seconds(ask.from));
    if (ask.until != WallTime{}) query.add("created[lt]", unix_seconds(ask.until));
    // Towards older events, as its list begins with the newest.
    if (!ask.id.empty()) query.add("starting_after", ask.id);
}

class Stripe final : public EventList {
public:
    [[nodiscard]] Facts facts() const override {
        return {.recipe = "stripe",
                .url = "https://api.stripe.com",
                .retention = std::chrono::days{30},
                .most = 100,
                .tells_delivery = true};
    }

    [[nodiscard]] Request request(const Ask& ask, const Wanted& wanted) const override {
        Query query{"/v1/events"};
        query.add("limit", ask.limit);
        if (ask.what == Ask::What::newest_before) query.add("created[lt]", unix_seconds(ask.until));
        if (ask.what == Ask::What::oldest_in) add_window(query, ask);
        // The page next to it, and not the newest one.
        if (ask.what == Ask::What::behind) query.add("ending_before", ask.id);
        // Not delivered to each of its endpoints.
        if (wanted.undelivered) query.add("delivery_success", "false");
        if (wanted.is_named(most_types))
            for (const auto& type : wanted.types) query.add("types[]", type);
        return {.target = std::move(query).target()};
    }

    [[nodiscard]] Result<RawPage> read(const Ask& /*ask*/, const Wanted& wanted, std::string_view body,
                                       webhook::JsonView& view) const override {
        static const PageForm form{
            .events = "/data", .more = "/has_more", .id = "/id", .created = "/created", .type = {"/type"}};
        return read_page(form, wanted, body, view);
    }

    [[nodiscard]] Fault fault(const Ask& ask, int status, std::string_view body,
                              webhook::JsonView& view) const override {
        const bool may_be_gone = !ask.id.empty() && (status == 400 || status == 404);
        if (may_be_gone && word_of("/error/code", body, view) == "resource_missing") return Fault::gone;
        return fault_of(status);
    }

    [[nodiscard]] bool has_type(std::string_view type) const noexcept override {
        return !stripe_thin_list().has_type(type);
    }
};

}  // namespace

const EventList& stripe_list() {
    static const Stripe list;
    return list;
}

}  // namespace sluice::poller
