#include <algorithm>
#include <format>

#include "common/time_text.hpp"
#include "tests/unit/poller/list/list_kit.hpp"

namespace sluice::poller {
namespace {

class PaddleModel final : public ModelList {
public:
    [[nodiscard]] WallTime rounded(WallTime time) const override { return time; }

    [[nodiscard]] std::string written(const Sample& event) const override {
        return std::format(
            R"({{"event_id": "{}", "event_type": "{}", "occurred_at": "{}",  "notification_id": null,)"
            R"( "data": {{"id": "txn_1", "total": 1.0, "name": "caf\u00e9 \/"}}}})",
            event.id, event.type, to_rfc3339(event.created));
    }

    [[nodiscard]] std::string answer(const Request& request) const override {
        const auto parameters = parameters_of(request.target, "/events", {"per_page", "order_by", "after"});
        EXPECT_EQ(request.headers.size(), 1U);
        EXPECT_EQ(request.headers.at(0).name, "Paddle-Version");
        const auto limit = limit_of(parameters, "per_page", 200);
        const auto after = one(parameters, "after");
        const bool is_ascending = one(parameters, "order_by") == "id[ASC]";
        EXPECT_TRUE(is_ascending || one(parameters, "order_by") == "id[DESC]");
        const Part part = is_ascending ? next_to(events, after, limit) : newest_before(events, after, limit);
        return page(elements_of(*this, part.events, !is_ascending),
                    is_ascending ? part.has_newer : part.has_older);
    }

    [[nodiscard]] std::string page(const std::vector<std::string>& elements, bool has_more) const override {
        return std::format(R"({{"data": {}, "meta": {{"request_id": "r", "pagination": {{"per_page": 50,)"
                           R"( "next": "https://api.paddle.com/events?after=evt_9", "has_more": {}}}}}}})",
                           joined_array(elements), has_more);
    }

    [[nodiscard]] Refusal gone() const override {
        return {404,
                R"({"error": {"type": "request_error", "code": "not_found", "detail": "Entity not found"}})"};
    }

    [[nodiscard]] Names names() const override { return {"event_id", "occurred_at", {"data", "meta"}}; }
};

}  // namespace

std::unique_ptr<ModelList> paddle_model() {
    return std::make_unique<PaddleModel>();
}

}  // namespace sluice::poller
