#include "poller/run/page_reader.hpp"

#include <algorithm>
#include <memory>
#include <system_error>
#include <utility>

#include "common/http/grammar.hpp"

namespace sluice::poller {
namespace {

constexpr std::chrono::hours most_apart{1};
constexpr int first_success = 200;
constexpr int after_success = 300;

bool is_success(const Answer& answer) {
    return answer.head.status >= first_success && answer.head.status < after_success;
}

Fault fault_of(const NoAnswer& no_answer) {
    return no_answer.why == NoAnswer::Why::too_long ? Fault::too_long : Fault::unreachable;
}

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

EarlyAnswer::Result PageReader::answer_to(const Ask& ask, const ApiRequest& request,
                                          const std::stop_token& stop) {
    auto answer = get_.ask(request, stop);
    if (answer && !is_success(*answer) && refusal(ask, *answer) == Fault::limited)
        account_.limited(answer->head.retry_after);
    return answer;
}

void PageReader::ask_early(const Ask& ask) {
    forget_early();
    auto request = request_of(ask);
    if (!request) return;
    auto question = [this, ask, request = std::make_shared<const ApiRequest>(std::move(*request))](
                        const std::stop_token& stop) { return answer_to(ask, *request, stop); };
    try {
        early_ = std::make_unique<EarlyAnswer>(ask, clock_.wall(), std::move(question));
    } catch (const std::system_error&) {
        // No thread: it is asked in its turn.
    }
}

void PageReader::forget_early() {
    if (const auto early = std::exchange(early_, nullptr)) count_unread(early->ask(), early->break_off());
}

void PageReader::count_unread(const Ask& ask, const EarlyAnswer::Result& answer) {
    if (!answer && answer.error().why == NoAnswer::Why::stopped) return;
    if (!answer)
        metrics_.failed(fault_of(answer.error()));
    else if (is_success(*answer))
        metrics_.answered();
    else
        metrics_.failed(refusal(ask, *answer));
}

std::expected<ReadPage, NoPage> PageReader::read(const Ask& ask, const std::stop_token& stop) {
    if (is_asked(ask)) {
        const auto early = std::exchange(early_, nullptr);
        return read(ask, early->wait(stop), early->asked_at());
    }
    forget_early();
    const WallTime asked_at = clock_.wall();
    const auto request = request_of(ask);
    if (!request) return std::unexpected(failed(request.error().fault, request.error().why));
    return read(ask, answer_to(ask, *request, stop), asked_at);
}

std::expected<ReadPage, NoPage> PageReader::read(const Ask& ask, EarlyAnswer::Result answer,
                                                 WallTime asked_at) {
    if (!answer) return std::unexpected(failed(fault_of(answer.error()), answer.error().reason));
    if (const auto date = answer->head.date) {
        if (std::chrono::abs(*date - clock_.wall()) > most_apart)
            return std::unexpected(
                failed(Fault::unreadable,
                       "the provider's clock and ours are more than an hour apart: one of them is wrong"));
        provider_.saw(*date, clock_.steady());
        asked_at = std::min(asked_at, *date - answer->took);
    }
    if (!is_success(*answer))
        return std::unexpected(failed(refusal(ask, *answer), "the provider answered with status " +
                                                                 std::to_string(answer->head.status)));
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

Fault PageReader::refusal(const Ask& ask, const Answer& answer) const {
    webhook::JsonView view;  // not view_: two threads ask
    return poll_.list->fault(ask, answer.head.status, answer.body, view);
}

NoPage PageReader::failed(Fault fault, std::string why) {
    metrics_.failed(fault);
    return {fault, std::move(why)};
}

}  // namespace sluice::poller
