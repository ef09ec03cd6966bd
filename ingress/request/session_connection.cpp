// The connection around the requests: phases, deadlines, buffers. What a request goes through is in
// session.cpp.
#include <algorithm>
#include <utility>

#include <boost/asio/buffer.hpp>

#include "common/webhook/gate/admission.hpp"
#include "ingress/asio/waiter.hpp"
#include "ingress/connection/phases.hpp"
#include "ingress/gate/chunked_body.hpp"
#include "ingress/request/session.hpp"

namespace sluice::ingress {

using connection::RequestBuffer;

Session::Session(Shard& shard, Socket socket, connection::Limits::Slot slot)
    : Conversation{{shard.common.clock, shard.deadlines, shard.buffers, shard.tls.get()},
                   std::move(socket),
                   std::move(slot)},
      shard_{shard},
      peer_{stream_.peer()} {
    shard_.connections.push_back(*this);
}

Task<void> serve(std::unique_ptr<Session> session) {
    co_await session->run();
}

Task<void> Session::run() {
    bool goes_on = false;
    if (!shard_.cut) goes_on = co_await greet();
    while (goes_on) {
        goes_on = co_await wait_for_request();
        if (!goes_on) break;
        ++requests_;
        ++shard_.requests_in_flight;
        const Ending ending = co_await take_request();
        --shard_.requests_in_flight;
        bool written = writes_at_once(ending);
        if (!written) written = co_await write_rest();
        now_.place.reset();  // before its route may go, and however long the peer stays
        if (written && breaks_after_answer()) break;
        goes_on = written && ending.after == After::keep_open;
        if (written && !goes_on) co_await linger();
        forget_request();
        if (goes_on && rest_ > rest_.zero()) co_await rest();
    }
    end();
}

/// Who is it? The proxy's header, the limit per address, TLS.
Task<bool> Session::greet() {
    using enum config::ListenSettings::Proxy;
    allow(connection::handshake_within);
    if (shard_.common.listen.proxy == v2) {
        const bool introduced = co_await read_proxy_header();
        if (!introduced) co_return false;
    }
    // Behind a proxy that does not say who connects, every connection has the proxy's address.
    if (shard_.common.listen.proxy != forwarded && !slot_.name(peer_)) {
        shard_.decisions.refused_at_gate(gate::Refusal::too_many_connections, peer_);
        co_return false;
    }
    if (shard_.common.listen.proxy != forwarded &&
        !shard_.common.clients.take_connection(peer_, shard_.common.clock.steady())) {
        shard_.decisions.refused_at_gate(gate::Refusal::too_many_new_connections, peer_);
        co_return false;
    }
    const auto [error] = co_await stream_.handshake();
    co_return !error && !deadline_.passed();
}

Task<bool> Session::read_proxy_header() {
    if (!shard_.common.trusted.contains(peer_)) co_return false;
    buffer_ = buffers_.take();
    std::size_t wanted = connection::proxy_fixed_part;
    while (true) {
        // Never a byte more than the header's: what follows may be TLS.
        const auto into = asio::buffer(buffer_->room().data(), wanted - buffer_->bytes().size());
        const auto [error, count] = co_await stream_.read_plain(into);
        buffer_->filled(count);
        if (error || deadline_.passed()) co_return false;
        const std::string_view bytes = buffer_->bytes();
        const auto header = connection::read_proxy_header(bytes);
        if (header) {
            if (header->client) peer_ = *header->client;
            buffer_.reset();
            co_return true;
        }
        if (header.error() == connection::ProxyTrouble::malformed) co_return false;
        if (bytes.size() >= connection::proxy_fixed_part) wanted = connection::proxy_header_size(bytes);
    }
}

/// A busy connection sends its next request at once: it is read as it comes.
Task<bool> Session::wait_for_request() {
    if (buffer_ && !buffer_->bytes().empty()) co_return true;  // it came with the one before
    if (shard_.draining && !stream_.has_bytes()) co_return false;
    idle_ = true;
    bool arrived = false;
    if (buffer_) {
        allow(connection::buffer_kept_for);
        const Transfer transfer = co_await read_more();
        arrived = end_read(transfer);
    }
    const bool is_quiet = !buffer_ || (!arrived && deadline_.passed());
    if (is_quiet) arrived = co_await wait_quietly();
    idle_ = false;
    deadline_.clear();
    co_return arrived;
}

/// A quiet connection gives its buffer back, unless TLS holds bytes that no event of the socket tells of.
Task<bool> Session::wait_quietly() {
    allow(shard_.common.listen.idle);
    if (!stream_.holds_bytes()) {
        buffer_.reset();
        const auto [error] = co_await stream_.readable();
        if (error) co_return false;
    }
    const Transfer transfer = co_await read_more();
    co_return end_read(transfer);
}

/// Whoever asks again at once would cost as much again as the answer did, and so would whoever forges again.
/// What it sends meanwhile waits. A proxy's connection carries others too, who have done nothing.
Task<void> Session::rest() {
    const SteadyTime::duration longest = connection::rest_at_most;
    const SteadyTime::duration time = std::min(std::exchange(rest_, {}), longest);
    if (shard_.common.listen.proxy == config::ListenSettings::Proxy::forwarded) co_return;
    const connection::Limits::Rest resting{shard_.common.limits};
    Waiter over;
    connection::Deadline end{shard_.deadlines, [&over](bool again) {
                                 if (!again) over.wake();
                             }};
    end.set(shard_.common.clock.steady() + time);
    co_await over.wait();
}

bool Session::has_head() {
    const auto end = gate::find_head_end(buffer_->bytes());
    now_.head_size = end.value_or(0);
    return now_.head_size > 0;
}

bool Session::has_body() {
    const gate::Framing framing = buffer_->head.framing;
    const bool is_here = framing.kind != gate::Framing::Kind::chunked &&
                         buffer_->bytes().size() >= now_.head_size + framing.length &&
                         RequestBuffer::fits(now_.head_size, framing.length);
    if (is_here) take_body_in_place(framing.length);
    return is_here;
}

void Session::take_body_in_place(std::size_t length) {
    now_.body_in_buffer = length;
    now_.body = buffer_->bytes().substr(now_.head_size, length);
}

Task<Session::Gated<void>> Session::read_body() {
    const gate::Framing framing = buffer_->head.framing;
    const bool is_chunked = framing.kind == gate::Framing::Kind::chunked;
    const bool invited = co_await invite_body(now_.head_size);
    if (!invited) co_return std::unexpected{Stop{}};
    allow(connection::body_within);
    Gated<void> read;
    if (is_chunked)
        read = co_await read_chunked();
    else if (RequestBuffer::fits(now_.head_size, framing.length))
        read = co_await read_in_place(framing.length);
    else
        read = co_await read_apart(framing.length);
    deadline_.clear();
    co_return read;
}

/// Behind its head, in the same buffer.
Task<Session::Gated<void>> Session::read_in_place(std::size_t length) {
    while (buffer_->bytes().size() < now_.head_size + length) {
        const Transfer transfer = co_await read_more();
        if (!end_read_in_time(transfer))
            co_return std::unexpected{timed_out_or_gone(gate::Refusal::body_timeout)};
    }
    take_body_in_place(length);
    co_return Gated<void>{};
}

/// In separate memory, with room after it for the JSON parser. Memory is touched as bytes come: a length
/// that is only announced costs nothing.
Task<Session::Gated<void>> Session::read_apart(std::size_t length) {
    std::string& body = buffer_->body;
    const std::string_view begun = buffer_->bytes().substr(now_.head_size, length);
    now_.body_in_buffer = begun.size();
    body.reserve(length + connection::json_padding);
    body.assign(begun);
    std::size_t filled = begun.size();
    while (filled < length) {
        body.resize(std::min(length, filled + std::max(filled, connection::least_body_step)));
        const auto room = asio::buffer(body.data() + filled, body.size() - filled);
        const auto [error, count] = co_await stream_.read_some(room);
        filled += count;
        if (error || deadline_.passed())
            co_return std::unexpected{timed_out_or_gone(gate::Refusal::body_timeout)};
    }
    now_.body = body;
    co_return Gated<void>{};
}

Task<Session::Gated<void>> Session::read_chunked() {
    const webhook::Source& source = *now_.route->source;
    gate::ChunkedBody decoder{source.max_body, gate::max_wire_bytes(source)};
    std::string& body = buffer_->body;
    while (true) {
        const std::string_view wire = buffer_->bytes().substr(now_.head_size + now_.body_in_buffer);
        const auto progress = decoder.feed(wire, body);
        if (!progress) co_return std::unexpected{Stop{progress.error()}};
        now_.body_in_buffer += progress->consumed;
        if (progress->complete) break;
        buffer_->drop_between(now_.head_size, now_.head_size + now_.body_in_buffer);
        now_.body_in_buffer = 0;
        const Transfer transfer = co_await read_more();
        if (!end_read_in_time(transfer))
            co_return std::unexpected{timed_out_or_gone(gate::Refusal::body_timeout)};
    }
    body.reserve(body.size() + connection::json_padding);
    now_.body = body;
    co_return Gated<void>{};
}

network::Address Session::client() const {
    using enum config::ListenSettings::Proxy;
    if (shard_.common.listen.proxy != forwarded || !now_.head_is_read) return peer_;
    if (!shard_.common.trusted.contains(peer_)) return peer_;
    return connection::forwarded_client(buffer_->head.fields(), shard_.common.trusted).value_or(peer_);
}

void Session::forget_request() {
    if (buffer_) buffer_->drop(std::min(buffer_->bytes().size(), now_.head_size + now_.body_in_buffer));
    now_ = Progress{};
}

}  // namespace sluice::ingress
