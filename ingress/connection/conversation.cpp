#include "ingress/connection/conversation.hpp"

#include <boost/asio/buffer.hpp>

#include "common/webhook/gate/raw_response.hpp"
#include "ingress/connection/phases.hpp"

namespace sluice::connection {

namespace asio = boost::asio;

Conversation::Conversation(const Thread& thread, ingress::Socket socket, Limits::Slot slot)
    : clock_{thread.clock},
      stream_{std::move(socket), thread.tls},
      slot_{std::move(slot)},
      deadline_{thread.deadlines, [this](bool again) { end_phase(again); }},
      buffers_{thread.buffers} {}

/// `cancel` does not touch a read that is done: a session whose bytes arrive at this moment goes on, and
/// would wait forever with its next read. Nothing goes on with a closed socket.
void Conversation::end_phase(bool again) {
    if (again)
        stream_.close();
    else
        stream_.cancel();
}

void Conversation::drain() {
    // A request that has arrived but was not read yet is one in progress: `cancel` does not touch a read
    // that is done, and does not run where bytes are there to read.
    if (idle_ && !stream_.has_bytes()) stream_.cancel();
}

void Conversation::cut() {
    stream_.close();
}

void Conversation::end() {
    deadline_.clear();
    stream_.close();
}

void Conversation::allow(std::chrono::milliseconds time) {
    deadline_.set(clock_.steady() + time);
}

ingress::Task<Conversation::Transfer> Conversation::read_more() {
    if (!buffer_) buffer_ = buffers_.take();
    const auto room = buffer_->room();
    return stream_.read_some(asio::buffer(room.data(), room.size()));
}

bool Conversation::end_read(const Transfer& transfer) {
    const auto& [error, count] = transfer;
    buffer_->filled(count);
    return !error && count > 0;
}

bool Conversation::end_read_in_time(const Transfer& transfer) {
    const bool came = end_read(transfer);
    return came && !deadline_.passed();
}

ingress::Task<std::expected<std::size_t, Conversation::Stop>> Conversation::read_head() {
    std::size_t seen = 0;
    while (true) {
        const std::string_view bytes = buffer_->bytes();
        const auto end = gate::find_head_end(bytes, seen);
        if (!end) co_return std::unexpected{Stop{end.error()}};
        if (*end > 0) {
            deadline_.clear();
            co_return *end;
        }
        if (seen == 0) allow(head_within);
        seen = bytes.size();
        const Transfer transfer = co_await read_more();
        if (!end_read_in_time(transfer))
            co_return std::unexpected{timed_out_or_gone(gate::Refusal::head_timeout)};
    }
}

ingress::Task<bool> Conversation::invite_body(std::size_t head_size) {
    const bool nothing_yet = buffer_->bytes().size() == head_size;
    if (!buffer_->head.expects_continue || !nothing_yet) co_return true;
    const Transfer transfer = co_await write(gate::continue_response());
    co_return end_write(transfer);
}

ingress::Task<Conversation::Transfer> Conversation::write(std::string_view bytes) {
    allow(write_within);
    return stream_.write(bytes);
}

bool Conversation::end_write(const Transfer& transfer) {
    const auto& [error, count] = transfer;
    const bool in_time = !deadline_.passed();
    deadline_.clear();
    return !error && in_time;
}

ingress::Task<void> Conversation::linger() {
    stream_.finish_sending();
    allow(linger_within);
    std::size_t read = 0;
    while (read < linger_bytes) {
        if (buffer_) buffer_->clear();
        const auto [error, count] = co_await read_more();
        read += count;
        if (error || deadline_.passed()) break;
    }
}

Conversation::Stop Conversation::timed_out_or_gone(gate::Refusal timeout) const {
    return deadline_.passed() ? Stop{timeout} : Stop{};
}

}  // namespace sluice::connection
