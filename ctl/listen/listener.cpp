#include "ctl/listen/listener.hpp"

#include <algorithm>

#include <sys/socket.h>

namespace sluice::ctl {
namespace {

constexpr Milliseconds longest_poll{60'000};
constexpr std::size_t before_connections = 2;  // in what is polled

}  // namespace

Listener::Listener(std::uint16_t port, const Clock& clock)
    : clock_{clock}, listening_{operations::listen_on("127.0.0.1", port, "--port")} {}

void Listener::run(int stop, std::optional<SteadyTime> end, Recipient& recipient) {
    std::vector<pollfd> wanted;
    while (recipient.wants_more() || owes_answers()) {
        ask_for(wanted, stop, recipient.wants_more());
        (void)::poll(wanted.data(), wanted.size(), patience_left(end));
        if (wanted[0].revents != 0 || (end && clock_.steady() >= *end)) return;
        serve(wanted, recipient);
        forget_slow_ones();
        if (wanted[1].revents != 0) take_new_one();
    }
}

/// In this order: the end, new connections, each connection.
void Listener::ask_for(std::vector<pollfd>& wanted, int stop, bool wants_more) const {
    wanted = {{stop, POLLIN, 0}, {wants_more ? listening_.get() : -1, POLLIN, 0}};
    for (const Connection& each : connections_) wanted.push_back({each.descriptor(), each.waits_for(), 0});
}

int Listener::patience_left(std::optional<SteadyTime> end) const {
    const SteadyTime now = clock_.steady();
    SteadyTime next = std::min(end.value_or(SteadyTime::max()), now + longest_poll);
    for (const Connection& each : connections_) next = std::min(next, each.until());
    return static_cast<int>(std::chrono::ceil<Milliseconds>(std::max(next - now, {})).count());
}

void Listener::serve(const std::vector<pollfd>& seen, Recipient& recipient) {
    auto connection = connections_.begin();
    for (std::size_t i = before_connections; i < seen.size(); ++i) {
        const auto next = std::next(connection);
        const bool may_go_on = connection->owes_an_answer() || recipient.wants_more();
        if (seen[i].revents != 0 && !(may_go_on && connection->go_on(recipient, clock_.steady())))
            connections_.erase(connection);
        connection = next;
    }
}

void Listener::forget_slow_ones() {
    std::erase_if(connections_,
                  [now = clock_.steady()](const Connection& each) { return each.until() <= now; });
}

void Listener::take_new_one() {
    operations::Socket socket{::accept4(listening_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK)};
    if (connections_.size() == most_connections || (!socket.is_open() && !connections_.empty()))
        connections_.pop_front();
    if (socket.is_open()) connections_.emplace_back(std::move(socket), clock_.steady());
}

bool Listener::owes_answers() const {
    return std::ranges::any_of(connections_, &Connection::owes_an_answer);
}

}  // namespace sluice::ctl
