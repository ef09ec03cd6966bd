#include <algorithm>
#include <format>

#include "tests/unit/poller/list/list_kit.hpp"

namespace sluice::poller {
namespace {

class StripeModel final : public ModelList {
public:
    [[nodiscard]] WallTime rounded(WallTime time) const override {
        return std::chrono::floor<std::chrono::seconds>(time);
    }

    [[nodiscard]] std::string written(const Sample& event) const override {
        return std::format(
            R"({{"id": "{}", "object": "event",  "created": {}, "livemode": false, "type": "{}",)"
            R"( "data": {{"object": {{"id": "pi_1", "amount": 1.0, "name": "caf\u00e9 \/"}}}}}})",
            event.id, std::chrono::floor<std::chrono::seconds>(event.created).time_since_epoch().count(),
            event.type);
    }

    [[nodiscard]] std::string answer(const Request& request) const override {
        const auto parameters = parameters_of(request.target, "/v1/events",
                                              {"limit", "starting_after", "ending_before", "created[gte]",
                                               "created[lt]", "types[]", "delivery_success"});
        EXPECT_TRUE(request.headers.empty());
        const auto limit = limit_of(parameters, "limit", 100);
        const auto before = one(parameters, "ending_before");
        const auto after = one(parameters, "starting_after");
        EXPECT_TRUE(before.empty() || after.empty()) << "both cursors";
        const auto listed = filtered(parameters);
        const Part part =
            before.empty() ? newest_before(listed, after, limit) : next_to(listed, before, limit);
        return page(elements_of(*this, part.events, true), before.empty() ? part.has_older : part.has_newer);
    }

    [[nodiscard]] std::string page(const std::vector<std::string>& elements, bool has_more) const override {
        return std::format(R"({{"object": "list", "data": {}, "has_more": {}, "url": "/v1/events"}})",
                           joined_array(elements), has_more);
    }

    [[nodiscard]] Refusal gone() const override {
        return {404, R"({"error": {"code": "resource_missing", "message": "No such event: 'evt_1'",
                                   "param": "ending_before", "type": "invalid_request_error"}})"};
    }

    [[nodiscard]] Names names() const override { return {"id", "created", {"data", "has_more"}}; }

private:
    [[nodiscard]] std::vector<Sample> filtered(const Parameters& parameters) const {
        std::vector<Sample> left = events;
        const auto seconds = [](const Sample& event) {
            return event.created.time_since_epoch() / std::chrono::seconds{1};
        };
        if (const auto from = one(parameters, "created[gte]"); !from.empty())
            std::erase_if(left, [&](const Sample& event) { return seconds(event) < std::stoll(from); });
        if (const auto until = one(parameters, "created[lt]"); !until.empty())
            std::erase_if(left, [&](const Sample& event) { return seconds(event) >= std::stoll(until); });
        // No webhook was taken: all events are there.
        const auto delivered = one(parameters, "delivery_success");
        EXPECT_TRUE(delivered.empty() || delivered == "false");
        if (const auto types = parameters.find("types[]"); types != parameters.end()) {
            EXPECT_LE(types->second.size(), 20U);
            std::erase_if(
                left, [&](const Sample& event) { return !std::ranges::contains(types->second, event.type); });
        }
        return left;
    }
};

}  // namespace

std::unique_ptr<ModelList> stripe_model() {
    return std::make_unique<StripeModel>();
}

}  // namespace sluice::poller
