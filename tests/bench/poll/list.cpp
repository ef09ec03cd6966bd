// Answers GET /v1/events for `./run bench poll` as Stripe does, each answer so much later. GET /figures says
// what was asked of pages behind an id: the number of the newest event, how many were answered again, and how
// many in how many seconds from the first twentieth to the last request.
#include <algorithm>
#include <chrono>
#include <exception>
#include <format>
#include <map>
#include <memory>
#include <ranges>
#include <string>

#include <CLI/CLI.hpp>
#include <boost/asio.hpp>
#include <boost/beast.hpp>

#include "tests/bench/poll/events.hpp"

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
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

/// One request at a time, until the peer closes. Its callbacks keep it.
class Connection : public std::enable_shared_from_this<Connection> {
public:
    Connection(asio::ip::tcp::socket socket, const Options& options, Listing& listing)
        : options_{options}, listing_{listing}, socket_{std::move(socket)}, timer_{socket_.get_executor()} {
        socket_.set_option(asio::ip::tcp::no_delay{true});
    }

    void receive() {
        request_ = {};
        http::async_read(socket_, buffer_, request_,
                         [self = shared_from_this()](const beast::error_code& error, std::size_t) {
                             if (!error) self->received();
                         });
    }

private:
    void received() {
        const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
        answer_ = {http::status::ok, 11};
        answer_.set(http::field::content_type, "application/json");
        answer_.set(http::field::date, std::format("{:%a, %d %b %Y %T} GMT", now));
        answer_.body() = listing_.answer({request_.target().data(), request_.target().size()});
        answer_.prepare_payload();
        if (options_.after_us == 0) return answer();
        timer_.expires_after(std::chrono::microseconds{options_.after_us});
        timer_.async_wait([self = shared_from_this()](const beast::error_code&) { self->answer(); });
    }

    void answer() {
        http::async_write(socket_, answer_,
                          [self = shared_from_this()](const beast::error_code& error, std::size_t) {
                              if (!error) self->receive();
                          });
    }

    const Options& options_;
    Listing& listing_;
    asio::ip::tcp::socket socket_;
    asio::steady_timer timer_;
    beast::flat_buffer buffer_;
    http::request<http::string_body> request_;
    http::response<http::string_body> answer_;
};

class Server {
public:
    explicit Server(const Options& options)
        : options_{options},
          listing_{options},
          acceptor_{context_, {asio::ip::address_v4::loopback(), options.port}} {}

    void run() {
        accept();
        context_.run();
    }

private:
    void accept() {
        acceptor_.async_accept([this](const beast::error_code& error, asio::ip::tcp::socket socket) {
            if (!error) std::make_shared<Connection>(std::move(socket), options_, listing_)->receive();
            accept();
        });
    }

    const Options& options_;
    Listing listing_;
    asio::io_context context_{1};
    asio::ip::tcp::acceptor acceptor_;
};

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
        Server{options}.run();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "list: %s\n", error.what());
        return 1;
    }
    return 0;
}
