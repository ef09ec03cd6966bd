#include "common/operations/operations_server.hpp"

#include <algorithm>
#include <cerrno>
#include <exception>
#include <list>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include "common/operations/client.hpp"
#include "common/operations/exchange.hpp"
#include "common/thread_name.hpp"

namespace sluice {
namespace {

using operations::Client;
using operations::Reply;
using operations::Socket;

constexpr auto plain_text = "text/plain; charset=utf-8";
constexpr auto exposition_text = "text/plain; version=0.0.4; charset=utf-8";

// Without a free descriptor, trying to accept the next connection again and again would burn a core.
constexpr Milliseconds without_descriptors{100};

/// A new client gets its turn before enough others are accepted to push it out.
constexpr std::size_t taken_at_once = OperationsServer::most_clients / 4;

}  // namespace

class OperationsServer::Impl {
public:
    Impl(const Settings& settings, const Metrics& metrics, const Readiness& readiness,
         std::function<bool()> alive)
        : metrics_{metrics},
          readiness_{readiness},
          alive_{std::move(alive)},
          patience_{settings.patience},
          stop_{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)},
          listening_{operations::listen_on(settings.host, settings.port, settings.key)},
          thread_{[this] {
              name_this_thread("operations");
              run();
          }} {}

    ~Impl() { (void)::eventfd_write(stop_.get(), 1); }

    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    [[nodiscard]] std::uint16_t port() const { return operations::port_of(listening_); }

private:
    void run() {
        std::vector<pollfd> wanted;
        while (true) {
            ask_for(wanted);
            (void)::poll(wanted.data(), wanted.size(), patience_left());
            if (wanted[0].revents != 0) return;
            serve({wanted.begin() + 2, wanted.end()});
            forget_slow_ones();
            take_new_ones();
        }
    }

    /// In this order: the end, new clients, each client.
    void ask_for(std::vector<pollfd>& wanted) const {
        const bool may_accept = clock_.steady() >= accept_again_at_;
        wanted = {{stop_.get(), POLLIN, 0}, {may_accept ? listening_.get() : -1, POLLIN, 0}};
        for (const Client& client : clients_) wanted.push_back({client.descriptor(), client.waits_for(), 0});
    }

    /// In milliseconds, or -1 while there is nothing to wait for.
    [[nodiscard]] int patience_left() const {
        const SteadyTime now = clock_.steady();
        if (clients_.empty() && now >= accept_again_at_) return -1;
        const SteadyTime next = clients_.empty() ? accept_again_at_ : clients_.front().until();
        return static_cast<int>(std::chrono::ceil<Milliseconds>(std::max(next - now, {})).count());
    }

    void serve(const std::vector<pollfd>& seen) {
        const auto answer = [this](std::string_view head) { return answer_to(head); };
        auto client = clients_.begin();
        for (const pollfd& each : seen) {
            const auto next = std::next(client);
            if (each.revents != 0 && !client->go_on(answer)) clients_.erase(client);
            client = next;
        }
    }

    void forget_slow_ones() {
        const SteadyTime now = clock_.steady();
        while (!clients_.empty() && clients_.front().until() <= now) clients_.pop_front();
    }

    void take_new_ones() {
        for (std::size_t taken = 0; taken < taken_at_once; ++taken) {
            Socket socket{::accept4(listening_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK)};
            if (!socket.is_open()) {
                if (errno == EMFILE || errno == ENFILE) make_room();
                return;
            }
            if (clients_.size() == most_clients) clients_.pop_front();
            clients_.emplace_back(std::move(socket), clock_.steady() + patience_);
        }
    }

    /// Frees the oldest client's descriptor for the next one.
    void make_room() {
        if (clients_.empty())
            accept_again_at_ = clock_.steady() + without_descriptors;
        else
            clients_.pop_front();
    }

    [[nodiscard]] std::string answer_to(std::string_view head) const {
        const operations::Asked asked = operations::read_head(head);
        try {
            return operations::written(reply_to(asked.path), asked.body_wanted);
        } catch (const std::exception&) {  // what it says is not for the network
            return operations::written({500, plain_text, ""}, asked.body_wanted);
        }
    }

    [[nodiscard]] Reply reply_to(std::string_view path) const {
        if (path == "/livez") {
            const bool good = alive_();
            return {good ? 200 : 503, plain_text, good ? "ok\n" : "not alive\n"};
        }
        if (path == "/readyz") return {readiness_.ready() ? 200 : 503, plain_text, readiness_.report()};
        // A client between us and the reader may show a body only on success: kubectl get --raw does.
        if (path == "/statusz") return {200, plain_text, readiness_.report()};
        if (path == "/metrics") return {200, exposition_text, metrics_.exposition()};
        return {404, plain_text, ""};
    }

    const SystemClock clock_;
    const Metrics& metrics_;
    const Readiness& readiness_;
    const std::function<bool()> alive_;
    const Milliseconds patience_;
    const Socket stop_;
    const Socket listening_;
    std::list<Client> clients_;  ///< in the order in which they came, which is that of their ends
    SteadyTime accept_again_at_{};
    std::jthread thread_;  // last: joined before what it uses goes
};

OperationsServer::OperationsServer(const Settings& settings, const Metrics& metrics,
                                   const Readiness& readiness, std::function<bool()> alive)
    : impl_{std::make_unique<Impl>(settings, metrics, readiness, std::move(alive))} {}

OperationsServer::~OperationsServer() = default;

std::uint16_t OperationsServer::port() const noexcept {
    return impl_->port();
}

}  // namespace sluice
