#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "command/http/in_flight.hpp"
#include "command/http/reply.hpp"
#include "command/http/shard.hpp"
#include "command/http/target.hpp"
#include "common/trace/context.hpp"
#include "common/webhook/gate/raw_response.hpp"
#include "ingress/connection/conversation.hpp"

namespace sluice::command {

/// One caller's connection: its requests one after the other, each answered before the next is read. Plainer
/// than the ingress's: callers are few and known, so an idle connection keeps its buffer, bodies are small
/// and never chunked. Lives in the coroutine `serve`, on its shard's thread.
class Session final : public connection::Conversation {
public:
    Session(Shard& shard, ingress::Socket socket, connection::Limits::Slot slot);

    [[nodiscard]] ingress::Task<void> run();

private:
    /// Why nothing came: what to tell the peer. Without a status: it has gone.
    template <class T>
    using Gated = std::expected<T, Reply>;
    using Found = std::expected<Standing, std::string>;

    /// What is known of the request in progress.
    struct Progress {
        std::size_t head_size = 0;
        std::size_t body_in_buffer = 0;
        std::string_view body;  ///< within the signed text, which is buffer_->body
        SteadyTime began{};     ///< its head was there
        SteadyTime received_at{};
        std::shared_ptr<const Callers> callers;  ///< those that it was checked against
        const Caller* caller = nullptr;          ///< once it is authentic
        const Caller* named = nullptr;           ///< of one that is not: whose it says to be
        std::optional<Key> key;                  ///< what it asks for
        trace::Context trace{};                  ///< of an authentic request
        bool last = true;                        ///< the connection ends with its reply
    };

    // The life of a command, in order.
    [[nodiscard]] Task<Reply> take_request();
    [[nodiscard]] Gated<Target> pass_gate();
    [[nodiscard]] Task<Gated<void>> read_body();
    [[nodiscard]] const connection::PeerCertificate* certificate_at(WallTime now) const;
    [[nodiscard]] Gated<Key> authenticate(const Target& target);
    [[nodiscard]] Task<Reply> execute();
    [[nodiscard]] Gated<void> keep_limits();
    [[nodiscard]] Task<Answer> answer_to(const crypto::Digest& fingerprint);
    [[nodiscard]] Task<Reply> look_up();
    [[nodiscard]] Task<Found> standing();
    [[nodiscard]] Task<bool> answer(Reply reply);
    void note(const Reply& reply) const;

    // The connection around it.
    [[nodiscard]] Task<bool> greet();
    [[nodiscard]] Task<bool> wait_for_request();
    [[nodiscard]] static Reply stopped(const Stop& stop);
    void forget_request();

    Shard& shard_;
    std::optional<connection::PeerCertificate> certificate_;  // since the handshake
    Progress now_;
    int requests_ = 0;
};

/// Serves one connection to its end. Owns it.
[[nodiscard]] ingress::Task<void> serve(std::unique_ptr<Session> session);

}  // namespace sluice::command
