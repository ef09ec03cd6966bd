#pragma once

#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "ingress/connection/listener.hpp"
#include "ingress/request/shard.hpp"

namespace sluice::ingress {

/// The request path: one thread and one io_context per core, each with its own listener on the shared
/// port. Methods are called from the main thread.
class Server {
public:
    /// What a shard publishes and claims with; called once for each, before it runs.
    using Equip = std::function<void(Shard&)>;

    /// Binds at once; throws std::runtime_error. `common` outlives the server.
    Server(const Common& common, int threads);
    ~Server();
    /// Ends the threads; what they still serve is cut. Nothing runs on any shard after it.
    void stop();

    /// Once, before `start`. Separate from the constructor, so that code that uses a shard from then on is
    /// not left with half a server when this throws.
    void equip(const Equip& equip);
    void start();
    [[nodiscard]] std::uint16_t port() const { return shards_.front()->listener->port(); }

    /// The shard that is served by the first thread.
    [[nodiscard]] Shard& first() { return shards_.front()->shard; }

    /// Every shard switches to these routes; requests in progress end with theirs.
    void use_routes(const std::shared_ptr<const Routes>& routes);
    /// Runs on each shard's thread.
    void on_each(const std::function<void(Shard&)>& what);

    /// From here on answers say `Connection: close`.
    void end_connections_by_answers();
    /// The same, idle connections end and no new ones are taken; what the kernel had taken for us counts as
    /// open. Waits for the shards, at most a second.
    void stop_accepting();
    [[nodiscard]] int open_connections() const noexcept { return common_.limits.open(); }
    /// Ends every connection that is left.
    void cut_connections();

private:
    struct Member {
        explicit Member(const Common& common) : shard{common} {}
        Shard shard;
        std::unique_ptr<connection::Listener> listener;
        std::thread thread;
    };

    Task<void> tick(Shard& shard);
    void settle();  ///< until every shard has done what it was given before

    const Common& common_;
    Gauge& connections_;
    Gauge& in_flight_;
    std::vector<std::unique_ptr<Member>> shards_;
};

}  // namespace sluice::ingress
