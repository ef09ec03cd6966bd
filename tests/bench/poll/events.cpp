#include "tests/bench/poll/events.hpp"

#include <algorithm>
#include <charconv>
#include <format>
#include <limits>

namespace sluice::bench {
namespace {

// About 2 KB, as a subscription's event is.
constexpr std::size_t filling_bytes = 1500;

const std::string& filling() {
    static const std::string text(filling_bytes, 'x');
    return text;
}

}  // namespace

Events::Events(std::uint64_t count, std::int64_t first_created, std::int64_t last_created)
    : count_{count}, first_{first_created}, last_{last_created} {}

std::int64_t Events::created(std::uint64_t number) const noexcept {
    return first_ + (last_ - first_) * static_cast<std::int64_t>(number) / static_cast<std::int64_t>(count_);
}

std::uint64_t Events::before(std::int64_t when) const noexcept {
    std::uint64_t low = 0;
    std::uint64_t high = count_;
    while (low < high) {
        const std::uint64_t middle = (low + high) / 2;
        if (created(middle + 1) < when)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

std::string Events::page(std::uint64_t from, std::uint64_t until, bool has_more) const {
    std::string page;
    page.reserve((until - from) * (filling_bytes + 1024) + 128);
    page += R"({"object": "list", "url": "/v1/events", "has_more": )";
    page += has_more ? "true" : "false";
    page += R"(, "data": [)";
    for (std::uint64_t number = until; number-- > from;) {
        append(page, number);
        if (number > from) page += ',';
    }
    page += "]}";
    return page;
}

void Events::append(std::string& page, std::uint64_t number) const {
    std::format_to(std::back_inserter(page), R"(
    {{
      "id": "evt_{0:012}",
      "object": "event",
      "api_version": "2025-09-30.clover",
      "created": {1},
      "data": {{
        "object": {{
          "id": "sub_{2:012}",
          "object": "subscription",
          "customer": "cus_{2:012}",
          "status": "active",
          "currency": "eur",
          "livemode": false,
          "description": ")",
                   number, created(number), number % 100'000);
    page += filling();
    page += R"("
        }
      },
      "livemode": false,
      "pending_webhooks": 0,
      "request": {"id": null, "idempotency_key": null},
      "type": "customer.subscription.updated"
    })";
}

std::uint64_t Events::number_of(std::string_view id) noexcept {
    constexpr std::string_view prefix = "evt_";
    std::uint64_t number = std::numeric_limits<std::uint64_t>::max();
    if (!id.starts_with(prefix)) return number;
    id.remove_prefix(prefix.size());
    std::from_chars(id.data(), id.data() + id.size(), number);
    return number;
}

}  // namespace sluice::bench
