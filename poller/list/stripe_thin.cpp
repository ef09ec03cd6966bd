#include <algorithm>
#include <array>
#include <format>
#include <utility>

#include "common/error.hpp"
#include "common/http/percent_encoded.hpp"
#include "poller/list/known_lists.hpp"
#include "poller/list/page.hpp"
#include "poller/list/query.hpp"

// https://docs.stripe.com/api/v2/core/events/list and https://docs.stripe.com/api-v2-overview#list-pagination
namespace sluice::poller {
namespace {

constexpr std::string_view path = "/v2/core/events";
constexpr std::size_t most_thin_types = 20;  // of its filter
constexpr int not_found = 404;

// Each request of /v2 names one. Since this one the list of a whole account can be asked, by time and by type
// (https://docs.stripe.com/changelog/clover/2025-10-29/v2-events-api-filtering).
constexpr std::string_view version = "2025-10-29.clover";

/// As the libraries of Stripe write it: https://github.com/stripe/stripe-node/pull/2497.
void add_types(Query& query, const Wanted& wanted) {
    if (!wanted.is_named(most_thin_types)) return;
    for (std::size_t i = 0; i < wanted.types.size(); ++i)
        query.add(std::format("types[{}]", i), wanted.types[i]);
}

std::string first_page(const Ask& ask, const Wanted& wanted) {
    Query query{path};
    query.add("limit", ask.limit).add("created[gte]", milliseconds_text(ask.from));
    if (ask.until != WallTime{}) query.add("created[lt]", milliseconds_text(ask.until));
    add_types(query, wanted);
    return std::move(query).target();
}

std::string target(const Ask& ask, const Wanted& wanted) {
    // https://docs.stripe.com/api/v2/core/events/retrieve
    if (ask.what == Ask::What::one) return std::string{path} + '/' + http::percent_encoded(ask.id);
    return ask.page.empty() ? first_page(ask, wanted) : ask.page;
}

/// The target in a page's URL, which is asked for as it stands; its filters cannot be changed. Empty: no page
/// of this list. Its host does not matter: the key goes to none but our own.
std::string target_of(std::string_view url) {
    constexpr std::string_view scheme = "https://";
    if (url.starts_with(scheme)) url.remove_prefix(std::min(url.find('/', scheme.size()), url.size()));
    const bool is_ours = url.starts_with(path) && url.substr(path.size()).starts_with('?');
    const bool is_plain = std::ranges::all_of(url, [](char c) { return c > ' ' && c < '\x7f' && c != '#'; });
    return is_ours && is_plain && url.size() <= longest_token ? std::string{url} : std::string{};
}

Result<RawPage> known(bool is_known) {
    if (!is_known) return Failure{errc::unreadable_body};
    return RawPage{};
}

/// Stripe's thin events. No order is documented, and pages are known by a token alone.
class StripeThin final : public EventList {
public:
    [[nodiscard]] Facts facts() const override {
        return {.recipe = "stripe",
                .name = "thin_events",
                .url = "https://api.stripe.com",
                .retention = std::chrono::days{30},
                .most = 100,
                .by_token = true};
    }

    [[nodiscard]] Request request(const Ask& ask, const Wanted& wanted) const override {
        return {.target = target(ask, wanted), .headers = {{"Stripe-Version", version}}};
    }

    [[nodiscard]] Result<RawPage> read(const Ask& ask, const Wanted& wanted, std::string_view body,
                                       webhook::JsonView& view) const override {
        static const PageForm form{.events = "/data",
                                   .more = "/next_page_url",
                                   .id = "/id",
                                   .created = "/created",
                                   .type = {"/type"},
                                   .newest_first = false,
                                   .by_token = true};
        if (ask.what == Ask::What::one) return known(word_of(form.id, body, view) == ask.id);
        auto page = read_page(form, wanted, body, view);
        if (!page || !page->has_more) return page;
        page->next = target_of(page->next);
        if (page->next.empty() || page->next == ask.page) return Failure{errc::unreadable_body};
        return page;
    }

    /// What it says of a token that it takes no more is written nowhere. The first page of the same window
    /// was answered, so that nothing else in the request can be wrong.
    [[nodiscard]] Fault fault(const Ask& ask, int status, std::string_view /*body*/,
                              webhook::JsonView& /*view*/) const override {
        constexpr std::array may_be_gone{400, 404, 410};
        if (ask.what == Ask::What::one && status == not_found) return Fault::gone;
        if (!ask.page.empty() && std::ranges::contains(may_be_gone, status)) return Fault::gone;
        return fault_of(status);
    }

    /// https://docs.stripe.com/api/v2/core/events/event-types
    [[nodiscard]] bool has_type(std::string_view type) const noexcept override {
        return type.starts_with("v1.") || type.starts_with("v2.");
    }
};

}  // namespace

const EventList& stripe_thin_list() {
    static const StripeThin list;
    return list;
}

}  // namespace sluice::poller
