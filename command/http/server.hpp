#pragma once

#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "command/http/shard.hpp"
#include "ingress/connection/listener.hpp"

namespace sluice::command {

/// Serves commands: one thread and one io_context for each of `threads`, each with its own listener on the
/// shared port. Methods are called from the main thread.
///
/// The executor is destroyed after `stop` and before the server: what it tells goes to the io_contexts.
class Server {
public:
    using Tls = std::shared_ptr<boost::asio::ssl::context>;

    /// Binds at once; throws std::runtime_error. `common` outlives the server. `tls` null: plain.
    Server(Common& common, int threads, const Tls& tls = nullptr);
    ~Server();
    /// Ends the threads; what they still serve is cut. Nothing runs on any shard after it.
    void stop();

    /// Of requests and connections from now on. The callers are to be given before `start`.
    void use_callers(std::shared_ptr<const Callers> callers);
    void use_tls(const Tls& tls);
    void start();
    [[nodiscard]] std::uint16_t port() const { return shards_.front()->listener->port(); }
    /// Runs on each shard's thread.
    void on_each(const std::function<void(Shard&)>& what);

    /// From here on replies say `Connection: close`.
    void end_connections_by_replies();
    /// The same, idle connections end and no new ones are taken; what the kernel had taken for us counts as
    /// open. Waits for the shards, at most a second.
    void stop_accepting();
    [[nodiscard]] int open_connections() const noexcept { return common_.limits.open(); }
    /// Ends every connection that is left. Waits for the shards, at most a second.
    void cut_connections();

private:
    struct Member {
        explicit Member(Common& common) : shard{common} {}
        Shard shard;
        std::unique_ptr<connection::Listener> listener;
        std::thread thread;
    };

    ingress::Task<void> tick(Shard& shard);
    void settle();  ///< until every shard has done what it was given before

    Common& common_;
    Gauge& connections_;
    Gauge& in_flight_;
    std::vector<std::unique_ptr<Member>> shards_;
};

}  // namespace sluice::command
