#include "command/http/server.hpp"

#include <semaphore>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>

#include "command/http/session.hpp"
#include "common/thread_name.hpp"

namespace sluice::command {
namespace {

namespace asio = boost::asio;

constexpr std::chrono::seconds settled_within{1};

void welcome(Shard& shard, ingress::Socket socket, connection::Limits::Slot slot) {
    boost::system::error_code ignored;
    socket.set_option(ingress::Tcp::no_delay{true}, ignored);
    auto session = std::make_unique<Session>(shard, std::move(socket), std::move(slot));
    const ingress::Executor executor = shard.io.get_executor();
    asio::co_spawn(executor, serve(std::move(session)), asio::detached);
}

}  // namespace

Server::Server(Common& common, int threads, const Tls& tls)
    : common_{common},
      connections_{common.metrics.gauge("sluice_command_connections", "Open connections")},
      in_flight_{common.metrics.gauge("sluice_command_requests_in_flight",
                                      "Authentic requests whose reply is not decided yet")} {
    Counter& turned_away = common.metrics.counter("sluice_command_connections_turned_away_total",
                                                  "Connections refused because there were too many");
    std::uint16_t shared_port = common.listen.address.port;
    for (int i = 0; i < threads; ++i) {
        auto member = std::make_unique<Member>(common);
        Shard& shard = member->shard;
        shard.tls = tls;
        auto take = [&shard](ingress::Socket socket, connection::Limits::Slot slot) {
            welcome(shard, std::move(socket), std::move(slot));
        };
        member->listener = std::make_unique<connection::Listener>(
            shard.io, common.listen.address.host, shared_port, common.limits, common.log, turned_away, take);
        shared_port = member->listener->port();
        shards_.push_back(std::move(member));
    }
}

Server::~Server() {
    stop();
}

void Server::stop() {
    for (const auto& member : shards_) member->shard.io.stop();
    for (const auto& member : shards_)
        if (member->thread.joinable()) member->thread.join();
}

void Server::start() {
    for (const auto& member : shards_) {
        Shard& shard = member->shard;
        member->listener->start();
        const ingress::Executor executor = shard.io.get_executor();
        asio::co_spawn(executor, tick(shard), asio::detached);
        member->thread = std::thread{[&shard] {
            name_this_thread("shard");
            shard.io.run();
        }};
    }
}

/// The one coarse timer: deadlines, and what is seen of the whole.
ingress::Task<void> Server::tick(Shard& shard) {
    ingress::Timer timer{shard.io};
    while (true) {
        timer.expires_after(connection::Deadlines::tick);
        const auto [interrupted] = co_await timer.async_wait(ingress::use_task);
        if (interrupted) co_return;
        shard.deadlines.sweep(common_.clock.steady());
        connections_.Set(common_.limits.open());
        in_flight_.Set(common_.in_flight.load(std::memory_order_relaxed));
    }
}

void Server::on_each(const std::function<void(Shard&)>& what) {
    for (const auto& member : shards_) {
        Shard& shard = member->shard;
        asio::post(shard.io, [&shard, what] { what(shard); });
    }
}

void Server::use_callers(std::shared_ptr<const Callers> callers) {
    on_each([callers = std::move(callers)](Shard& shard) { shard.callers = callers; });
}

void Server::use_tls(const Tls& tls) {
    on_each([tls](Shard& shard) { shard.tls = tls; });
}

void Server::end_connections_by_replies() {
    on_each([](Shard& shard) { shard.ends_connections = true; });
}

void Server::stop_accepting() {
    for (const auto& member : shards_)
        asio::post(member->shard.io, [&member = *member] {
            member.listener->stop();
            member.shard.draining = true;
            for (connection::Drainable& connection : member.shard.connections) connection.drain();
        });
    // Twice: a connection that was accepted just before is in the queue behind the first.
    settle();
    settle();
}

void Server::settle() {
    const auto done = std::make_shared<std::counting_semaphore<>>(0);
    for (const auto& member : shards_) asio::post(member->shard.io, [done] { done->release(); });
    // Waits for a thread, so by real time, not by the server's clock.
    for (std::size_t i = 0; i < shards_.size(); ++i)
        if (!done->try_acquire_for(settled_within)) return;
}

void Server::cut_connections() {
    on_each([](Shard& shard) {
        shard.cut = true;
        for (connection::Drainable& connection : shard.connections) connection.cut();
    });
    // `stop` may follow at once, and runs nothing that waits: a caller would hang as long as its command.
    settle();
}

}  // namespace sluice::command
