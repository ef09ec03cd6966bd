#include <algorithm>
#include <format>

#include "common/time_text.hpp"
#include "tests/unit/poller/list/list_kit.hpp"

namespace sluice::poller {
namespace {

class GoCardlessModel final : public ModelList {
public:
    [[nodiscard]] WallTime rounded(WallTime time) const override {
        return std::chrono::floor<Milliseconds>(time);
    }

    [[nodiscard]] std::string written(const Sample& event) const override {
        const auto dot = event.type.find('.');
        return std::format(
            R"({{"id": "{}", "created_at": "{}",  "resource_type": "{}", "action": "{}",)"
            R"( "links": {{"payment": "PM1"}}, "details": {{"description": "caf\u00e9 \/"}}}})",
            event.id, to_rfc3339(event.created), event.type.substr(0, dot), event.type.substr(dot + 1));
    }

    [[nodiscard]] std::string answer(const Request& request) const override {
        const auto parameters = parameters_of(
            request.target, "/events", {"limit", "before", "after", "created_at[gte]", "created_at[lt]"});
        EXPECT_EQ(request.headers.size(), 1U);
        EXPECT_EQ(request.headers.at(0).name, "GoCardless-Version");
        const auto limit = limit_of(parameters, "limit", 500);
        const auto before = one(parameters, "before");
        const auto after = one(parameters, "after");
        EXPECT_TRUE(before.empty() || after.empty()) << "both cursors";
        const auto listed = inside(parameters);
        const Part part =
            before.empty() ? newest_before(listed, after, limit) : next_to(listed, before, limit);
        return body(elements_of(*this, part.events, true), part.has_newer, part.has_older);
    }

    [[nodiscard]] std::string page(const std::vector<std::string>& elements, bool has_more) const override {
        return body(elements, has_more, true);
    }

    [[nodiscard]] Refusal gone() const override {
        return {422, R"({"error": {"type": "validation_failed", "code": 422, "message": "Validation failed",
                                   "errors": [{"field": "before", "message": "is unknown"}]}})"};
    }

    [[nodiscard]] Names names() const override { return {"id", "created_at", {"events", "meta"}}; }

private:
    static std::string body(const std::vector<std::string>& elements, bool has_newer, bool has_older) {
        return std::format(
            R"({{"events": {}, "meta": {{"cursors": {{"before": {}, "after": {}}}, "limit": 50}}}})",
            joined_array(elements), has_newer ? "\"EV1\"" : "null", has_older ? "\"EV2\"" : "null");
    }

    [[nodiscard]] std::vector<Sample> inside(const Parameters& parameters) const {
        std::vector<Sample> left = events;
        if (const auto from = one(parameters, "created_at[gte]"); !from.empty())
            std::erase_if(left,
                          [&](const Sample& event) { return event.created < from_rfc3339(from).value(); });
        if (const auto until = one(parameters, "created_at[lt]"); !until.empty())
            std::erase_if(left,
                          [&](const Sample& event) { return event.created >= from_rfc3339(until).value(); });
        return left;
    }
};

}  // namespace

std::unique_ptr<ModelList> gocardless_model() {
    return std::make_unique<GoCardlessModel>();
}

}  // namespace sluice::poller
