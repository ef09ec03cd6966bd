// Answers GET /v1/events for `./run bench poll` as Stripe does, each answer so much later. GET /figures says
// what was asked of pages behind an id: the number of the newest event, how many were answered again, and how
// many in how many seconds from the first twentieth to the last request.
#include <algorithm>
#include <chrono>
#include <exception>
#include <format>
#include <map>
#include <ranges>
#include <string>

#include <CLI/CLI.hpp>

#include "tests/bench/answers/server.hpp"
#include "tests/bench/poll/events.hpp"

namespace {

namespace http = boost::beast::http;
using Clock = std::chrono::steady_clock;

struct Options {
    std::uint16_t port = 0;
    std::uint64_t events = 0;
    std::int64_t first = 0;
    std::int64_t last = 0;
    int after_us = 0;
};

using Given = std::map<std::string, std::string, std::less<>>;

/// Parameters of a target. Of what is encoded, brackets alone come here.
Given given_in(std::string_view target) {
    Given given;
    std::string query{target.substr(std::min(target.find('?'), target.size() - 1) + 1)};
    for (const auto& [encoded, plain] : {std::pair{"%5B", "["}, std::pair{"%5D", "]"}})
        for (std::size_t at = 0; (at = query.find(encoded)) != std::string::npos;)
            query.replace(at, 3, plain);
    for (const auto part : std::views::split(query, '&')) {
        const std::string_view parameter{part};
        const std::size_t equals = std::min(parameter.find('='), parameter.size());
        given.emplace(parameter.substr(0, equals), parameter.substr(std::min(equals + 1, parameter.size())));
    }
    return given;
}

/// The list and what was asked of it.
class Listing {
public:
    explicit Listing(const Options& options) : events_{options.events, options.first, options.last} {}

    [[nodiscard]] std::string answer(std::string_view target) {
        return target == "/figures" ? figures() : page(given_in(target));
    }

private:
    [[nodiscard]] std::string page(const Given& given) {
        const auto limit = static_cast<std::uint64_t>(number(given, "limit", 10));
        std::uint64_t from = 1;
        std::uint64_t until = events_.count() + 1;
        bool has_more = false;
        if (const auto behind = given.find("ending_before"); behind != given.end()) {
            from = sluice::bench::Events::number_of(behind->second) + 1;
            has_more = from + limit < until;
            until = std::min(until, from + limit);
        } else {
            from = events_.before(number(given, "created[gte]", 0)) + 1;
            if (given.contains("created[lt]")) until = events_.before(number(given, "created[lt]", 0)) + 1;
            if (const auto after = given.find("starting_after"); after != given.end())
                until = std::min(until, sluice::bench::Events::number_of(after->second));
            has_more = from + limit < until;
            from = std::max(from, until - std::min(until, limit));
        }
        from = std::min(from, until);
        if (given.contains("ending_before")) count(from, until);
        return events_.page(from, until, has_more);
    }

    static std::int64_t number(const Given& given, std::string_view name, std::int64_t otherwise) {
        const auto found = given.find(name);
        return found == given.end() ? otherwise : std::stoll(found->second);
    }

    void count(std::uint64_t from, std::uint64_t until) {
        last_ = Clock::now();
        if (answered_ < events_.count() / 20) {
            began_ = last_;
            before_ = answered_;
        }
        answered_ += until - from;
        again_ += from <= newest_ ? std::min(newest_ + 1, until) - from : 0;
        newest_ = std::max(newest_, until - 1);
    }

    [[nodiscard]] std::string figures() const {
        return std::format(R"({{"newest": {}, "again": {}, "seconds": {:.6f}, "counted": {}}})", newest_,
                           again_, std::chrono::duration<double>{last_ - began_}.count(),
                           answered_ - before_);
    }

    sluice::bench::Events events_;
    std::uint64_t answered_ = 0;
    std::uint64_t newest_ = 0;
    std::uint64_t again_ = 0;   // answered before
    std::uint64_t before_ = 0;  // of those answered, what came before the clock began
    Clock::time_point began_ = Clock::now();
    Clock::time_point last_ = began_;
};

sluice::bench::Answer answer_of(Listing& listing, const sluice::bench::Request& request, int after_us) {
    const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
    sluice::bench::Answer answer{{http::status::ok, 11}, std::chrono::microseconds{after_us}};
    answer.response.set(http::field::content_type, "application/json");
    answer.response.set(http::field::date, std::format("{:%a, %d %b %Y %T} GMT", now));
    answer.response.body() = listing.answer({request.target().data(), request.target().size()});
    answer.response.prepare_payload();
    return answer;
}

}  // namespace

int main(int count, char** arguments) {
    CLI::App app{"lists events, as many as are said"};
    Options options;
    app.add_option("--port", options.port)->required();
    app.add_option("--events", options.events)->required()->check(CLI::PositiveNumber);
    app.add_option("--first", options.first, "created, seconds since 1970")->required();
    app.add_option("--last", options.last, "created")->required();
    app.add_option("--after-us", options.after_us, "answers so late");
    CLI11_PARSE(app, count, arguments);
    try {
        Listing listing{options};
        sluice::bench::Server{options.port,
                              [&](const sluice::bench::Request& request) {
                                  return answer_of(listing, request, options.after_us);
                              }}
            .run();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "list: %s\n", error.what());
        return 1;
    }
    return 0;
}
