#include "poller/run/page_reader.hpp"

#include <algorithm>
#include <utility>

#include "common/http/grammar.hpp"

namespace sluice::poller {
namespace {

constexpr std::chrono::hours most_apart{1};
constexpr int first_success = 200;
constexpr int after_success = 300;

}  // namespace

PageReader::PageReader(const PollSettings& poll, Account& account, WalkMetrics& metrics, const Clock& clock)
    : poll_{poll}, account_{account}, metrics_{metrics}, clock_{clock}, get_{poll.api} {}

std::expected<ApiRequest, NoPage> PageReader::request_of(const Ask& ask) const {
    const Secret key = poll_.key.now();
    if (!std::ranges::all_of(key.bytes(), http::is_value_character))
        return std::unexpected(NoPage{Fault::refused, "poll.key has a character that no header may have"});
    Request plain = poll_.list->request(ask, poll_.wanted);
    const EventList::Facts facts = poll_.list->facts();
    std::string value{facts.before_key};
    value.append(key.bytes());
    ApiRequest request{.target = std::move(plain.target), .headers = {}};
    request.headers.emplace_back(facts.key_header, Secret{value});
    std::ranges::fill(value, '\0');
    for (const Header& header : plain.headers)
        request.headers.emplace_back(header.name, Secret{header.value});
    return request;
}

void PageReader::ask_early(const Ask& ask) {
    early_.reset();
    auto request = request_of(ask);
    if (request) early_ = std::make_unique<EarlyAnswer>(get_, ask, std::move(*request), clock_.wall());
}

std::expected<ReadPage, NoPage> PageReader::read(const Ask& ask, const std::stop_token& stop) {
    if (auto early = std::exchange(early_, nullptr); early && early->ask() == ask)
        return read(ask, early->wait(stop), early->asked_at());
    const WallTime asked_at = clock_.wall();
    const auto request = request_of(ask);
    if (!request) return std::unexpected(failed(request.error().fault, request.error().why));
    return read(ask, get_.ask(*request, stop), asked_at);
}

std::expected<ReadPage, NoPage> PageReader::read(const Ask& ask, EarlyAnswer::Result answer,
                                                 WallTime asked_at) {
    if (!answer) {
        const bool is_long = answer.error().why == NoAnswer::Why::too_long;
        return std::unexpected(failed(is_long ? Fault::too_long : Fault::unreachable, answer.error().reason));
    }
    if (const auto date = answer->head.date) {
        if (std::chrono::abs(*date - clock_.wall()) > most_apart)
            return std::unexpected(
                failed(Fault::unreadable,
                       "the provider's clock and ours are more than an hour apart: one of them is wrong"));
        provider_.saw(*date, clock_.steady());
        asked_at = std::min(asked_at, *date - answer->took);
    }
    const int status = answer->head.status;
    if (status < first_success || status >= after_success) return std::unexpected(refused(ask, *answer));
    return page_of(ask, *answer, asked_at);
}

std::expected<ReadPage, NoPage> PageReader::page_of(const Ask& ask, const Answer& answer, WallTime asked_at) {
    auto page = poll_.list->read(ask, poll_.wanted, answer.body, view_);
    if (!page)
        return std::unexpected(
            failed(Fault::unreadable, "the answer is no page of events: " + page.error().message()));
    metrics_.answered();
    return ReadPage{std::move(*page), asked_at};
}

NoPage PageReader::refused(const Ask& ask, const Answer& answer) {
    const Fault fault = poll_.list->fault(ask, answer.head.status, answer.body, view_);
    if (fault == Fault::limited) account_.limited(answer.head.retry_after);
    return failed(fault, "the provider answered with status " + std::to_string(answer.head.status));
}

NoPage PageReader::failed(Fault fault, std::string why) {
    metrics_.failed(fault);
    return {fault, std::move(why)};
}

}  // namespace sluice::poller
