#include <algorithm>
#include <format>

#include "common/time_text.hpp"
#include "tests/unit/poller/list/list_kit.hpp"

namespace sluice::poller {
namespace {

/// https://docs.stripe.com/api/v2/core/events/list: no order is said, so that a page here has none. The page
/// after a page is that of the events before its oldest one.
class StripeThinModel final : public ModelList {
public:
    [[nodiscard]] WallTime rounded(WallTime time) const override {
        return std::chrono::floor<Milliseconds>(time);
    }

    [[nodiscard]] std::string written(const Sample& event) const override {
        return std::format(
            R"({{"id": "{}", "object": "v2.core.event",  "created": "{}", "livemode": true, "type": "{}",)"
            R"( "changes": null, "related_object": {{"id": "mtr_1", "type": "caf\u00e9 \/"}}}})",
            event.id, to_rfc3339(event.created), event.type);
    }

    [[nodiscard]] std::string answer(const Request& request) const override {
        constexpr std::string_view of_one = "/v2/core/events/";
        if (request.target.starts_with(of_one)) return written(named(request.target.substr(of_one.size())));
        const auto parameters = parameters_of(request.target, "/v2/core/events", known());
        EXPECT_EQ(request.headers.size(), 1U);
        EXPECT_EQ(request.headers.at(0).name, "Stripe-Version");
        const auto listed = filtered(parameters);
        const auto limit = limit_of(parameters, "limit", 100);
        Part part = newest_before(listed, one(parameters, "page"), limit);
        if (!part.has_older) return body(shuffled(part), "null");
        const std::string first = request.target.substr(0, request.target.find("&page="));
        return body(shuffled(part), std::format(R"("{}&page={}")", first, part.events.front().id));
    }

    [[nodiscard]] std::string page(const std::vector<std::string>& elements, bool has_more) const override {
        return body(elements, has_more ? R"("/v2/core/events?page=2")" : "null");
    }

    [[nodiscard]] Refusal gone() const override {
        return {400, R"({"error": {"code": "invalid_page_token", "message": "It has expired."}})"};
    }

    [[nodiscard]] Names names() const override { return {"id", "created", {"data", "next_page_url"}}; }

private:
    static std::string body(const std::vector<std::string>& elements, std::string_view next) {
        return std::format(R"({{"data": {}, "next_page_url": {}, "previous_page_url": null}})",
                           joined_array(elements), next);
    }

    [[nodiscard]] const Sample& named(std::string_view id) const {
        return *std::ranges::find(events, id, &Sample::id);
    }

    static std::vector<std::string> known() {
        std::vector<std::string> names{"limit", "page", "created[gte]", "created[lt]"};
        for (int i = 0; i < 20; ++i) names.push_back(std::format("types[{}]", i));
        return names;
    }

    [[nodiscard]] std::vector<std::string> shuffled(const Part& part) const {
        auto elements = elements_of(*this, part.events, true);
        std::ranges::rotate(elements, elements.begin() + static_cast<std::ptrdiff_t>(elements.size() / 2));
        return elements;
    }

    [[nodiscard]] std::vector<Sample> filtered(const Parameters& parameters) const {
        std::vector<Sample> left = events;
        const auto time = [&](std::string_view name) { return from_rfc3339(one(parameters, name)); };
        if (const auto from = time("created[gte]"))
            std::erase_if(left, [&](const Sample& event) { return event.created < *from; });
        if (const auto until = time("created[lt]"))
            std::erase_if(left, [&](const Sample& event) { return event.created >= *until; });
        std::vector<std::string> types;
        for (int i = 0; i < 20; ++i)
            if (auto type = one(parameters, std::format("types[{}]", i)); !type.empty())
                types.push_back(type);
        if (!types.empty())
            std::erase_if(left,
                          [&](const Sample& event) { return !std::ranges::contains(types, event.type); });
        return left;
    }
};

}  // namespace

std::unique_ptr<ModelList> stripe_thin_model() {
    return std::make_unique<StripeThinModel>();
}

}  // namespace sluice::poller
