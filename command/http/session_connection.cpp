// The connection around the requests: phases, deadlines, buffers. What a request goes through is in
// session.cpp.
#include <algorithm>

#include <boost/asio/buffer.hpp>

#include "command/http/admission.hpp"
#include "command/http/problem.hpp"
#include "command/http/session.hpp"
#include "ingress/connection/phases.hpp"

namespace sluice::command {

namespace asio = boost::asio;

Session::Session(Shard& shard, ingress::Socket socket, connection::Limits::Slot slot)
    : Conversation{{shard.common.clock, shard.deadlines, shard.buffers, shard.tls.get()},
                   std::move(socket),
                   std::move(slot)},
      shard_{shard} {
    buffer_ = buffers_.take();
    shard_.connections.push_back(*this);
}

ingress::Task<void> serve(std::unique_ptr<Session> session) {
    co_await session->run();
}

ingress::Task<void> Session::run() {
    bool goes_on = false;
    if (!shard_.cut) goes_on = co_await greet();
    while (goes_on) {
        goes_on = co_await wait_for_request();
        if (!goes_on) break;
        ++requests_;
        Reply reply = co_await take_request();
        goes_on = co_await answer(std::move(reply));
        forget_request();
    }
    end();
}

ingress::Task<bool> Session::greet() {
    if (!slot_.name(stream_.peer())) co_return false;
    allow(connection::handshake_within);
    const auto [error] = co_await stream_.handshake();
    if (!error) certificate_ = stream_.peer_certificate();
    co_return !error && !deadline_.passed();
}

ingress::Task<bool> Session::wait_for_request() {
    if (!buffer_->bytes().empty()) co_return true;  // it came with the one before
    if (shard_.draining && !stream_.has_bytes()) co_return false;
    allow(shard_.common.listen.idle);
    idle_ = true;
    const Transfer transfer = co_await read_more();
    const bool arrived = end_read(transfer);  // what came at the last moment is served
    idle_ = false;
    deadline_.clear();
    co_return arrived;
}

/// Behind what is signed before it, so that all of it lies in one piece.
ingress::Task<Session::Gated<void>> Session::read_body() {
    const bool invited = co_await invite_body(now_.head_size);
    if (!invited) co_return std::unexpected{Reply{.status = 0}};
    const gate::Head& head = buffer_->head;
    const std::size_t length = head.framing.length;
    std::string& text = buffer_->body;
    text = signed_prefix(head.method, head.target, key_field_of(head));
    const std::size_t begin = text.size();
    const std::string_view begun = buffer_->bytes().substr(now_.head_size, length);
    now_.body_in_buffer = begun.size();
    text += begun;
    allow(connection::body_within);
    while (text.size() < begin + length) {
        const std::size_t filled = text.size();
        text.resize(std::min(begin + length, filled + connection::least_body_step));
        const auto room = asio::buffer(text.data() + filled, text.size() - filled);
        const auto [error, count] = co_await stream_.read_some(room);
        text.resize(filled + count);
        if (error || deadline_.passed())
            co_return std::unexpected{stopped(timed_out_or_gone(gate::Refusal::body_timeout))};
    }
    deadline_.clear();
    now_.body = std::string_view{text}.substr(begin);
    co_return Gated<void>{};
}

Reply Session::stopped(const Stop& stop) {
    return stop.refusal ? reply_to(*stop.refusal) : Reply{.status = 0};
}

void Session::forget_request() {
    buffer_->drop(std::min(buffer_->bytes().size(), now_.head_size + now_.body_in_buffer));
    now_ = Progress{};
}

}  // namespace sluice::command
