#include "ingress/server.hpp"

#include <semaphore>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>

#include "common/thread_name.hpp"
#include "ingress/request/session.hpp"

namespace sluice::ingress {
namespace {

constexpr std::chrono::seconds settled_within{1};

void welcome(Shard& shard, Socket socket, connection::Limits::Slot slot) {
    boost::system::error_code ignored;
    socket.set_option(Tcp::no_delay{true}, ignored);
    auto session = std::make_unique<Session>(shard, std::move(socket), std::move(slot));
    const Executor executor = shard.io.get_executor();
    asio::co_spawn(executor, serve(std::move(session)), asio::detached);
}

}  // namespace

Server::Server(const Common& common, int threads)
    : common_{common},
      connections_{common.metrics.gauge("sluice_ingress_connections", "Open connections")},
      in_flight_{
          common.metrics.gauge("sluice_ingress_requests_in_flight",
                               "Requests that have begun to arrive and whose answer is not decided yet")} {
    Counter& turned_away = common.metrics.counter("sluice_ingress_connections_turned_away_total",
                                                  "Connections refused because there were too many");
    std::uint16_t shared_port = common.listen.address.port;
    for (int i = 0; i < threads; ++i) {
        auto member = std::make_unique<Member>(common);
        Shard& shard = member->shard;
        auto take = [&shard](Socket socket, connection::Limits::Slot slot) {
            welcome(shard, std::move(socket), std::move(slot));
        };
        member->listener = std::make_unique<connection::Listener>(
            shard.io, common.listen.address.host, shared_port, common.limits, common.log, turned_away, take);
        shared_port = member->listener->port();
        shards_.push_back(std::move(member));
    }
}

void Server::equip(const Equip& equip) {
    for (const auto& member : shards_) equip(member->shard);
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
        const Executor executor = shard.io.get_executor();
        asio::co_spawn(executor, tick(shard), asio::detached);
        member->thread = std::thread{[&shard] {
            name_this_thread("shard");
            shard.io.run();
        }};
    }
}

/// The one coarse timer: deadlines, and what was gathered for the metrics.
Task<void> Server::tick(Shard& shard) {
    Timer timer{shard.io};
    int shown = 0;  // of this shard's requests in the gauge
    while (true) {
        timer.expires_after(connection::Deadlines::tick);
        const auto [interrupted] = co_await timer.async_wait(use_task);
        if (interrupted) co_return;
        shard.deadlines.sweep(common_.clock.steady());
        shard.times.flush();
        if (shard.callbacks) shard.callbacks->tick(common_.clock.steady(), common_.clock.wall());
        connections_.Set(common_.limits.open());
        in_flight_.Increment(shard.requests_in_flight - std::exchange(shown, shard.requests_in_flight));
    }
}

void Server::on_each(const std::function<void(Shard&)>& what) {
    for (const auto& member : shards_) {
        Shard& shard = member->shard;
        asio::post(shard.io, [&shard, what] { what(shard); });
    }
}

void Server::use_routes(const std::shared_ptr<const Routes>& routes) {
    on_each([routes](Shard& shard) { shard.routes = routes; });
}

void Server::end_connections_by_answers() {
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
}

}  // namespace sluice::ingress
