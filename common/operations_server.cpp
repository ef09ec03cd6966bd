#include "common/operations_server.hpp"

#include <stdexcept>
#include <thread>
#include <utility>

#include <sys/socket.h>

#include <httplib.h>

namespace sluice {
namespace {

// A probe and a scrape at a time is the rule; what comes on top waits, then is turned away.
constexpr std::size_t threads = 4;
constexpr std::size_t most_waiting = 64;
constexpr std::size_t most_body_bytes = 1024;
constexpr std::chrono::seconds client_patience{2};

constexpr auto plain_text = "text/plain; charset=utf-8";
constexpr auto exposition_text = "text/plain; version=0.0.4; charset=utf-8";

void answer(httplib::Response& response, bool good, const std::string& body) {
    response.status = good ? httplib::OK_200 : httplib::ServiceUnavailable_503;
    response.set_content(body, plain_text);
}

// httplib's own choice is SO_REUSEPORT, under which a second process takes the port without a word.
void allow_restart(socket_t socket) {
    const int on = 1;
    (void)::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
}

}  // namespace

class OperationsServer::Impl {
public:
    Impl(const Settings& settings, const Metrics& metrics, const Readiness& readiness,
         std::function<bool()> alive)
        : alive_{std::move(alive)} {
        limit();
        route(metrics, readiness);
        bind(settings);
        thread_ = std::jthread{[this] { (void)server_.listen_after_bind(); }};
        // A stop before the first accept would be lost.
        server_.wait_until_ready();
    }

    ~Impl() { server_.stop(); }

    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    [[nodiscard]] std::uint16_t port() const noexcept { return port_; }

private:
    void limit() {
        server_.new_task_queue = [] { return new httplib::ThreadPool{threads, most_waiting}; };
        server_.set_socket_options(allow_restart);
        server_.set_keep_alive_max_count(1);
        server_.set_read_timeout(client_patience);
        server_.set_write_timeout(client_patience);
        server_.set_payload_max_length(most_body_bytes);
        // httplib's own handler puts what() into a header.
        server_.set_exception_handler(
            [](const httplib::Request&, httplib::Response& response, std::exception_ptr) {
                response.status = httplib::InternalServerError_500;
            });
    }

    void route(const Metrics& metrics, const Readiness& readiness) {
        server_.Get("/livez", [this](const httplib::Request&, httplib::Response& response) {
            const bool good = alive_();
            answer(response, good, good ? "ok\n" : "not alive\n");
        });
        server_.Get("/readyz", [&readiness](const httplib::Request&, httplib::Response& response) {
            answer(response, readiness.ready(), readiness.report());
        });
        // What stands between may keep a body only of an answer of success: kubectl get --raw does.
        server_.Get("/statusz", [&readiness](const httplib::Request&, httplib::Response& response) {
            response.set_content(readiness.report(), plain_text);
        });
        server_.Get("/metrics", [&metrics](const httplib::Request&, httplib::Response& response) {
            response.set_content(metrics.exposition(), exposition_text);
        });
    }

    void bind(const Settings& settings) {
        const int port = settings.port == 0 ? server_.bind_to_any_port(settings.host)
                         : server_.bind_to_port(settings.host, settings.port) ? settings.port
                                                                              : -1;
        if (port <= 0) {
            throw std::runtime_error{"operations: cannot listen on " + settings.host + ':' +
                                     std::to_string(settings.port) +
                                     ": no such address here, or the port is taken"};
        }
        port_ = static_cast<std::uint16_t>(port);
    }

    const std::function<bool()> alive_;
    std::uint16_t port_ = 0;
    httplib::Server server_;
    std::jthread thread_;  // last: joined before what it uses goes
};

OperationsServer::OperationsServer(Settings settings, const Metrics& metrics, const Readiness& readiness,
                                   std::function<bool()> alive)
    : impl_{std::make_unique<Impl>(settings, metrics, readiness, std::move(alive))} {}

OperationsServer::~OperationsServer() = default;

std::uint16_t OperationsServer::port() const noexcept {
    return impl_->port();
}

}  // namespace sluice
