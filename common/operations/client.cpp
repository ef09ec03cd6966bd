#include "common/operations/client.hpp"

#include <cerrno>

#include <poll.h>
#include <sys/socket.h>

#include "common/operations/exchange.hpp"

namespace sluice::operations {
namespace {

bool is_for_later(ssize_t count) {
    return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR);
}

}  // namespace

short Client::waits_for() const noexcept {
    return answer_.empty() ? POLLIN : POLLOUT;
}

bool Client::go_on(const Answer& answer) {
    return answer_.empty() ? read_on(answer) : write_on();
}

bool Client::read_on(const Answer& answer) {
    char bytes[1024];
    const ssize_t count = ::recv(socket_.get(), bytes, sizeof bytes, 0);
    if (is_for_later(count)) return true;
    if (count <= 0) return false;
    asked_.append(bytes, static_cast<std::size_t>(count));
    if (has_head(asked_)) {
        answer_ = answer(asked_);
        return write_on();
    }
    return asked_.size() < most_head_bytes;
}

bool Client::write_on() {
    const ssize_t count = ::send(socket_.get(), answer_.data(), answer_.size(), MSG_NOSIGNAL);
    if (is_for_later(count)) return true;
    if (count <= 0) return false;
    answer_.erase(0, static_cast<std::size_t>(count));
    return !answer_.empty();
}

}  // namespace sluice::operations
