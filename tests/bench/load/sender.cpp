#include "tests/bench/load/sender.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <stdexcept>

#include <sys/epoll.h>
#include <sys/socket.h>

#include "tests/bench/load/processor_time.hpp"

namespace sluice::bench {
namespace {

constexpr std::chrono::seconds unanswered_within{10};
constexpr std::chrono::milliseconds longest_turn{50};
constexpr std::int64_t tick = 20'000;  // microseconds that rounding may add to user and system time together

Clock::duration seconds(double count) {
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>{count});
}

/// How long the response is, 0 while it is incomplete.
std::size_t response_size(std::string_view bytes) {
    const std::size_t head_end = bytes.find("\r\n\r\n");
    if (head_end == std::string_view::npos) return 0;
    std::size_t length = 0;
    for (const std::string_view name : {"Content-Length: ", "content-length: "}) {
        const std::size_t at = bytes.substr(0, head_end).find(name);
        if (at != std::string_view::npos) {
            const char* begin = bytes.data() + at + name.size();
            std::from_chars(begin, bytes.data() + head_end, length);
        }
    }
    const std::size_t size = head_end + 4 + length;
    return bytes.size() < size ? 0 : size;
}

int status_of(std::string_view response) {
    int status = 0;
    std::from_chars(response.data() + 9, response.data() + 12, status);
    return status;
}

bool closes(std::string_view head) {
    return head.find("Connection: close") != std::string_view::npos;
}

}  // namespace

Sender::Sender(const Plan& plan, Deliveries& deliveries) : plan_{plan}, deliveries_{deliveries} {
    for (int i = 0; i < plan.connections; ++i) {
        connections_.push_back(std::make_unique<Connection>());
        connections_.back()->number = static_cast<std::uint32_t>(i);
        reconnect(*connections_.back());
    }
    if (plan.rate > 0) between_ = seconds(1 / plan.rate);
}

Window Sender::run() {
    make_known();
    sending_ = true;
    next_due_ = Clock::now();
    send_until(Clock::now() + seconds(plan_.warm_up));
    const auto threads_before =
        plan_.process > 0 ? thread_microseconds(plan_.process) : decltype(Window::threads){};
    const std::int64_t before = plan_.process > 0 ? processor_microseconds(plan_.process) : 0;
    const Clock::time_point began = Clock::now();
    measuring_ = true;
    send_until(began + seconds(plan_.seconds));
    measuring_ = false;
    Window window;
    window.seconds = std::chrono::duration<double>{Clock::now() - began}.count();
    if (plan_.process > 0) {
        window.processor = processor_microseconds(plan_.process) - before;
        std::int64_t exact = 0;
        for (const auto& [name, now] : thread_microseconds(plan_.process)) {
            const auto old = threads_before.find(name);
            exact += window.threads[name] = now - (old == threads_before.end() ? 0 : old->second);
        }
        // The same time, without the rounding to ticks; a thread that ended takes its share with it.
        window.processor = std::max(exact, window.processor - tick);
    }
    finish();
    return window;
}

/// Sent as fresh events, over all connections.
void Sender::make_known() {
    to_make_known_ = plan_.known;
    while (to_make_known_ > 0 && !idle_.empty()) {
        Connection& connection = *idle_.back();
        idle_.pop_back();
        give(connection, deliveries_.event(--to_make_known_), Clock::now());
    }
    const Clock::time_point patience = Clock::now() + unanswered_within;
    while (idle_.size() < connections_.size()) {
        turn(Clock::now() + longest_turn);
        if (Clock::now() > patience) throw std::runtime_error{"the server leaves requests unanswered"};
    }
}

void Sender::send_until(Clock::time_point end) {
    for (Clock::time_point now = Clock::now(); now < end; now = Clock::now()) {
        if (plan_.most > 0 && tally_.sent >= plan_.most && idle_.size() == connections_.size()) return;
        if (plan_.rate > 0) {
            send_due(now);
            turn(std::min(next_due_, end));
        } else {
            while (!idle_.empty() && may_send()) {
                Connection& connection = *idle_.back();
                idle_.pop_back();
                give(connection, deliveries_.next(), Clock::now());
            }
            turn(end);
        }
    }
}

/// A request that finds every connection busy is sent later; its time counts from when it was due.
void Sender::send_due(Clock::time_point now) {
    while (next_due_ <= now && may_send() && !idle_.empty()) {
        if (now - next_due_ > longest_turn) ++tally_.late;
        Connection& connection = *idle_.back();
        idle_.pop_back();
        give(connection, deliveries_.next(), next_due_);
        next_due_ += between_;
    }
}

void Sender::give(Connection& connection, std::string_view request, Clock::time_point due) {
    ++tally_.sent;
    connection.due = due;
    connection.busy = true;
    connection.out = request;
    if (!send_some(connection.socket.get(), connection.out)) reconnect(connection);
    if (!connection.out.empty()) epoll_.want_write(connection.socket.get(), &connection, true);
}

void Sender::turn(Clock::time_point until) {
    std::array<epoll_event, 256> events;
    const auto left = std::chrono::duration_cast<std::chrono::nanoseconds>(until - Clock::now()).count();
    const auto patience = std::clamp<std::int64_t>(left, 0, std::chrono::nanoseconds{longest_turn}.count());
    const timespec within{0, patience};
    const int count =
        epoll_pwait2(epoll_.get(), events.data(), static_cast<int>(events.size()), &within, nullptr);
    for (int i = 0; i < count; ++i) {
        const epoll_event& event = events[static_cast<std::size_t>(i)];
        Connection& connection = *static_cast<Connection*>(event.data.ptr);
        if ((event.events & EPOLLOUT) != 0 && !connection.out.empty()) {
            if (!send_some(connection.socket.get(), connection.out)) reconnect(connection);
            if (connection.out.empty()) epoll_.want_write(connection.socket.get(), &connection, false);
        }
        if ((event.events & ~static_cast<unsigned>(EPOLLOUT)) != 0) readable(connection);
    }
}

void Sender::readable(Connection& connection) {
    std::array<char, 4096> room;
    const ssize_t count = recv(connection.socket.get(), room.data(), room.size(), 0);
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) return reconnect(connection);
    connection.in.append(room.data(), static_cast<std::size_t>(count));
    const std::size_t size = response_size(connection.in);
    if (size == 0 || !connection.busy) return;
    const int status = status_of(connection.in);
    const bool ends = closes(std::string_view{connection.in}.substr(0, size));
    connection.in.erase(0, size);
    if (ends || plan_.anew) renew(connection);
    answered(connection, status);
}

void Sender::answered(Connection& connection, int status) {
    connection.busy = false;
    tally_.answered(status, Clock::now() - connection.due, measuring_);
    if (!sending_ && to_make_known_ > 0)
        give(connection, deliveries_.event(--to_make_known_), Clock::now());
    else if (plan_.rate == 0 && may_send())
        give(connection, deliveries_.next(), Clock::now());
    else
        idle_.push_back(&connection);
}

/// A request under way is lost with its connection, and counted.
void Sender::reconnect(Connection& connection) {
    const bool is_idle = !connection.busy && connection.socket.get() >= 0;
    if (connection.busy) ++tally_.broken;
    if (tally_.broken > 1000 && !plan_.floods) throw std::runtime_error{"the server drops connections"};
    connection.busy = false;
    renew(connection);
    if (!is_idle) idle_.push_back(&connection);
}

void Sender::renew(Connection& connection) {
    connection.in.clear();
    connection.out.clear();
    if (plan_.floods) abandon(std::move(connection.socket));
    connection.socket =
        plan_.clients == 0 ? connect_to(plan_.port)
                           : connect_from(plan_.first_client + connection.number % plan_.clients, plan_.port);
    epoll_.add(connection.socket.get(), &connection);
}

void Sender::finish() {
    sending_ = false;
    to_make_known_ = 0;
    if (plan_.floods) return;
    const Clock::time_point patience = Clock::now() + unanswered_within;
    while (idle_.size() < connections_.size()) {
        turn(Clock::now() + longest_turn);
        if (Clock::now() > patience) throw std::runtime_error{"the server leaves requests unanswered"};
    }
}

}  // namespace sluice::bench
