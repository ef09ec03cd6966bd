#include <stdexcept>
#include <utility>

#include "poller/list/known_lists.hpp"
#include "poller/list/page.hpp"
#include "poller/list/query.hpp"

// https://developer.paddle.com/api-reference/events/list-events, /about/pagination and /about/paddle-ids
namespace sluice::poller {
namespace {

class Paddle final : public EventList {
public:
    [[nodiscard]] Facts facts() const override {
        return {.recipe = "paddle",
                .url = "https://api.paddle.com",
                .retention = std::chrono::days{90},
                .most = 200,
                .by_time = false};
    }

    [[nodiscard]] Request request(const Ask& ask, const Wanted& /*wanted*/) const override {
        const bool is_forward = ask.what == Ask::What::behind;
        if (!is_forward && ask.what != Ask::What::before)
            throw std::logic_error{"the list of Paddle cannot be asked by time"};
        Query query{"/events"};
        query.add("order_by", is_forward ? "id[ASC]" : "id[DESC]").add("per_page", ask.limit);
        // Its ids sort as their events were created; after is in the order that is asked for.
        if (!ask.id.empty()) query.add("after", ask.id);
        return {.target = std::move(query).target(), .headers = {{"Paddle-Version", "1"}}};
    }

    [[nodiscard]] Result<RawPage> read(const Ask& ask, const Wanted& wanted, std::string_view body,
                                       webhook::JsonView& view) const override {
        const PageForm form{.events = "/data",
                            .more = "/meta/pagination/has_more",
                            .id = "/event_id",
                            .created = "/occurred_at",
                            .type = {"/event_type"},
                            .newest_first = ask.what == Ask::What::before};
        return read_page(form, wanted, body, view);
    }

    /// What it says of an id that it deleted is written of other requests alone.
    [[nodiscard]] Fault fault(const Ask& ask, int status, std::string_view body,
                              webhook::JsonView& view) const override {
        const bool may_be_gone = !ask.id.empty() && (status == 400 || status == 404);
        if (may_be_gone && word_of("/error/code", body, view) == "not_found") return Fault::gone;
        return fault_of(status);
    }
};

}  // namespace

const EventList& paddle_list() {
    static const Paddle list;
    return list;
}

}  // namespace sluice::poller
