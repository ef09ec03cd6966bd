// A client of sluice-command: money operations that are executed once, however often they are sent
// (docs/clients.md). It needs C++20, OpenSSL and Boost; one of your sources includes <boost/json/src.hpp>.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include <boost/asio.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/beast.hpp>
#include <boost/beast/ssl.hpp>

#include "sluice/command_answer.hpp"
#include "sluice/command_request.hpp"

namespace sluice {

struct Limits {
    std::chrono::milliseconds connect{1000};
    std::chrono::milliseconds attempt{5000};        // one request and its whole answer
    std::chrono::milliseconds deadline{20'000};     // a call with all its attempts
    std::chrono::milliseconds first_pause{50};      // doubles each time
    std::chrono::milliseconds longest_pause{2000};  // Retry-After may ask for more
    std::size_t longest_response = 256 << 10;
};

/// Tests hand in their own.
struct Time {
    std::function<std::chrono::steady_clock::time_point()> now = std::chrono::steady_clock::now;
    std::function<std::chrono::system_clock::time_point()> wall = std::chrono::system_clock::now;
    std::function<void(std::chrono::milliseconds)> pause = [](auto time) {
        std::this_thread::sleep_for(time);
    };
    std::function<double()> chance = [bits = std::minstd_rand{std::random_device{}()}]() mutable {
        return std::generate_canonical<double, 32>(bits);
    };
};

struct Service {
    std::string host;
    std::string port;
    std::string caller;
    std::string secret;                                          // the caller's key, whsec_…
    boost::asio::ssl::context* tls = nullptr;                    // outlives the client. Null: no TLS
    std::vector<std::string> content_types{"application/json"};  // of the commands' own responses
    Limits limits{};
    Time time{};
};

namespace client {

namespace asio = boost::asio;
namespace beast = boost::beast;
using Request = http::request<http::string_body>;

/// One call: its deadline, and how it paces its attempts.
struct Course {
    const Limits& limits;
    const Time& time;
    std::chrono::steady_clock::time_point until = time.now() + limits.deadline;
    milliseconds pause = limits.first_pause;
    std::optional<Problem> problem{};

    milliseconds left() const {
        return std::min(limits.attempt, std::chrono::ceil<milliseconds>(until - time.now()));
    }
    /// Waits for the next attempt. False: the deadline is over by then.
    bool goes_on(const Again& again) {
        if (again.problem) problem = again.problem;
        const milliseconds jittered{
            static_cast<long>(static_cast<double>(pause.count()) * (1 + time.chance()) / 2)};
        pause = std::min(2 * pause, limits.longest_pause);
        if (time.now() + again.after + jittered >= until) return false;
        time.pause(again.after + jittered);
        return time.now() < until;
    }
};

/// One connection, kept alive. A failure ends it, so that no answer is ever taken for another request's.
class Connection {
public:
    explicit Connection(const Service& service) : service_{service} {}

    /// Empty: there was no whole answer. `sent`: whether there was a connection to send the request over.
    std::optional<Answer> exchange(const Request& request, milliseconds within, bool& sent) {
        const Instant now = std::chrono::steady_clock::now();
        sent = false;
        try {
            if (!is_usable()) open(now + std::min(within, service_.limits.connect));
            sent = true;
            return secure_ ? exchange_over(*secure_, request, now + within)
                           : exchange_over(*plain_, request, now + within);
        } catch (const boost::system::system_error&) {
            close();
            return std::nullopt;
        }
    }

private:
    using Plain = beast::tcp_stream;
    using Secure = asio::ssl::stream<Plain>;
    using Instant = std::chrono::steady_clock::time_point;

    Plain& stream() { return secure_ ? secure_->next_layer() : *plain_; }

    void close() {
        secure_.reset();
        plain_.reset();
    }

    /// A connection that the service has closed meanwhile is found out before anything is sent over it.
    bool is_usable() {
        if (!secure_ && !plain_) return false;
        char byte = 0;
        beast::error_code error;
        stream().socket().non_blocking(true, error);
        stream().socket().receive(asio::buffer(&byte, 1), asio::socket_base::message_peek, error);
        return error == asio::error::would_block;
    }

    /// Runs what `begin` begins until it has ended: Beast's time-outs are for what is asynchronous.
    template <class Begin>
    void run(Begin begin) {
        beast::error_code error;
        begin([&error](beast::error_code ended, auto&&...) { error = ended; });
        io_.restart();
        io_.run();
        if (error) throw boost::system::system_error{error};
    }

    void open(Instant end) {
        close();
        const auto places = asio::ip::tcp::resolver{io_}.resolve(service_.host, service_.port);
        if (service_.tls) secure_.emplace(io_, *service_.tls);
        if (!service_.tls) plain_.emplace(io_);
        stream().expires_at(end);
        run([&](auto ended) { stream().async_connect(places, std::move(ended)); });
        stream().socket().set_option(asio::ip::tcp::no_delay{true});
        if (!secure_) return;
        secure_->set_verify_mode(asio::ssl::verify_peer);
        secure_->set_verify_callback(asio::ssl::host_name_verification{service_.host});
        SSL_set_tlsext_host_name(secure_->native_handle(), service_.host.c_str());
        run([&](auto ended) { secure_->async_handshake(asio::ssl::stream_base::client, std::move(ended)); });
    }

    /// An answer that does not say where it ends is none: a part of it looks whole.
    template <class Stream>
    std::optional<Answer> exchange_over(Stream& over, const Request& request, Instant end) {
        stream().expires_at(end);
        run([&](auto ended) { http::async_write(over, request, std::move(ended)); });
        beast::flat_buffer buffer;
        http::response_parser<http::string_body> parser;
        parser.body_limit(service_.limits.longest_response);
        run([&](auto ended) { http::async_read(over, buffer, parser, std::move(ended)); });
        const bool is_whole = !parser.need_eof();
        if (!is_whole || !parser.keep_alive() || buffer.size() > 0) close();
        return is_whole ? std::optional{parser.release()} : std::nullopt;
    }

    const Service& service_;
    asio::io_context io_;
    std::optional<Plain> plain_;
    std::optional<Secure> secure_;
};

}  // namespace client

/// Belongs to one thread at a time. Throws std::invalid_argument for a key or a secret that cannot be one;
/// what becomes of a command is never an exception.
class CommandClient {
public:
    explicit CommandClient(Service service)
        : service_{std::move(service)}, key_{client::key_of(service_.secret)}, connection_{service_} {}
    CommandClient(const CommandClient&) = delete;
    CommandClient& operator=(const CommandClient&) = delete;

    /// Sends the command until there is an answer or the deadline is over.
    [[nodiscard]] Outcome execute(const Command& command) {
        const std::string field = command.key ? client::key_field(*command.key) : "";
        client::Course course{service_.limits, service_.time};
        std::string location;
        bool in_doubt = false;
        while (true) {
            client::Judged judged =
                location.empty() ? send(command, field, course) : follow(location, course);
            if (auto* done = std::get_if<Done>(&judged)) return *std::move(done);
            if (auto* unknown = std::get_if<Unknown>(&judged)) return *std::move(unknown);
            if (auto* refused = std::get_if<Refused>(&judged)) return told_of(*refused, in_doubt);
            const auto& again = std::get<client::Again>(judged);
            in_doubt = in_doubt || !again.surely_not;
            location = again.look_up;
            if (!course.goes_on(again)) return Unknown{course.problem};
        }
    }

    /// What became of the key. Of `absent`: a request that is on its way may still come.
    [[nodiscard]] std::variant<Standing, Refused, Unknown> look_up(std::string_view command,
                                                                   std::string_view key) {
        client::Course course{service_.limits, service_.time};
        while (true) {
            bool sent = false;
            const auto answer =
                ask(client::http::verb::get, client::path_of(command, key), "", "", course, sent);
            if (auto standing = answer ? client::standing_of(*answer) : std::nullopt)
                return *std::move(standing);
            const client::Judged judged = answer ? client::judge(*answer) : client::Again{};
            if (const auto* refused = std::get_if<Refused>(&judged)) return *refused;
            if (const auto* unknown = std::get_if<Unknown>(&judged)) return *unknown;
            const auto* again = std::get_if<client::Again>(&judged);
            if (!again || !course.goes_on(*again)) return Unknown{course.problem};
        }
    }

private:
    /// A refusal tells nothing of attempts before.
    static Outcome told_of(const Refused& refused, bool in_doubt) {
        if (in_doubt) return Unknown{refused.problem};
        return refused;
    }

    client::Judged send(const Command& command, const std::string& field, const client::Course& course) {
        bool sent = false;
        const auto answer =
            ask(client::http::verb::post, client::path_of(command.name), field, command.body, course, sent);
        return answer ? client::judge_sent(*answer, service_.content_types)
                      : client::Again{.surely_not = !sent};
    }

    client::Judged follow(const std::string& location, const client::Course& course) {
        bool sent = false;
        const auto answer = ask(client::http::verb::get, location, "", "", course, sent);
        return answer ? client::judge_standing(*answer, location) : client::Again{.look_up = location};
    }

    /// One attempt, with a signature of its own.
    std::optional<client::Answer> ask(client::http::verb method, const std::string& target,
                                      const std::string& field, const std::string& body,
                                      const client::Course& course, bool& sent) {
        client::Request request{method, target, 11};
        const auto at =
            std::chrono::floor<std::chrono::seconds>(service_.time.wall()).time_since_epoch().count();
        const std::string id = client::new_id();
        const std::string signed_text =
            client::text_to_sign(id, at, request.method_string(), target, field, body);
        request.set(client::http::field::host, service_.host + ':' + service_.port);
        request.set("Sluice-Caller", service_.caller);
        request.set("webhook-id", id);
        request.set("webhook-timestamp", std::to_string(at));
        request.set("webhook-signature", client::signature(key_, signed_text));
        if (!field.empty()) request.set("Idempotency-Key", field);
        if (method == client::http::verb::post)
            request.set(client::http::field::content_type, "application/json");
        request.body() = body;
        request.prepare_payload();
        return connection_.exchange(request, course.left(), sent);
    }

    const Service service_;
    const std::string key_;
    client::Connection connection_;
};

}  // namespace sluice
