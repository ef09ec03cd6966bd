#include "ctl/listen/connection.hpp"

#include <cerrno>

#include <poll.h>
#include <sys/socket.h>

#include "common/webhook/gate/raw_response.hpp"

namespace sluice::ctl {
namespace {

bool is_for_later(ssize_t count) {
    return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR);
}

std::expected<void, gate::Refusal> admitted(const gate::Head& head) {
    using enum gate::Refusal;
    if (head.method != "POST") return gate::refuse(method_not_allowed);
    if (head.framing.kind == gate::Framing::Kind::chunked) return gate::refuse(chunked_not_allowed);
    if (head.framing.kind == gate::Framing::Kind::none) return gate::refuse(length_required);
    if (head.framing.length > most_body_bytes) return gate::refuse(body_too_large);
    return {};
}

}  // namespace

std::expected<std::size_t, gate::Refusal> whole_request(std::string_view bytes, gate::Head& head) {
    const auto head_bytes = gate::find_head_end(bytes);
    if (!head_bytes || *head_bytes == 0) return head_bytes;
    if (const auto read = gate::read_head(bytes.substr(0, *head_bytes), head); !read)
        return gate::refuse(read.error());
    if (const auto may = admitted(head); !may) return gate::refuse(may.error());
    const std::size_t whole = *head_bytes + head.framing.length;
    return bytes.size() < whole ? 0 : whole;
}

short Connection::waits_for() const noexcept {
    return owes_an_answer() ? POLLOUT : POLLIN;
}

bool Connection::go_on(Recipient& recipient, SteadyTime now) {
    if (!owes_an_answer() && !read_on(recipient)) return false;
    return !owes_an_answer() || write_on(now);
}

bool Connection::read_on(Recipient& recipient) {
    char bytes[16 * 1024];
    const ssize_t count = ::recv(socket_.get(), bytes, sizeof bytes, 0);
    if (is_for_later(count)) return true;
    if (count <= 0) return false;
    asked_.append(bytes, static_cast<std::size_t>(count));
    answer_what_is_whole(recipient);
    return true;
}

void Connection::answer_what_is_whole(Recipient& recipient) {
    gate::Head head;
    const auto whole = whole_request(asked_, head);
    if (!whole) {
        recipient.refused(whole.error());
        answer_ = gate::response_of(whole.error());
        stays_open_ = false;
        return;
    }
    if (*whole == 0) return;
    // Nobody has a reason to send a second request before the first is answered.
    stays_open_ = head.keep_alive && asked_.size() == *whole;
    const std::string_view body =
        std::string_view{asked_}.substr(*whole - head.framing.length, head.framing.length);
    const int status = recipient.take(
        {.method = head.method, .target = head.target, .headers = head.fields(), .body = body});
    answer_ = gate::raw_response({.status = status, .content_type = {}, .body = {}}, "",
                                 stays_open_ ? gate::After::keep_open : gate::After::close);
    asked_.clear();
}

bool Connection::write_on(SteadyTime now) {
    const ssize_t count = ::send(socket_.get(), answer_.data(), answer_.size(), MSG_NOSIGNAL);
    if (is_for_later(count)) return true;
    if (count <= 0) return false;
    answer_.erase(0, static_cast<std::size_t>(count));
    if (owes_an_answer()) return true;
    until_ = now + patience;
    return stays_open_;
}

}  // namespace sluice::ctl
