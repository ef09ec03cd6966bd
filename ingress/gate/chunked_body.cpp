#include "ingress/gate/chunked_body.hpp"

#include <algorithm>

#include "common/webhook/gate/grammar.hpp"

namespace sluice::gate {
namespace {

constexpr int max_size_digits = 8;

int hex_value(char c) {
    if (is_digit(c)) return c - '0';
    const char small = lower(c);
    return small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;
}

}  // namespace

std::expected<ChunkedBody::Progress, Refusal> ChunkedBody::feed(std::string_view wire, std::string& body) {
    std::size_t at = 0;
    while (at < wire.size() && state_ != State::done) {
        if (state_ == State::content) {
            const std::size_t take = std::min(chunk_, wire.size() - at);
            body.append(wire.substr(at, take));
            at += take;
            wire_ += take;
            chunk_ -= take;
            if (chunk_ == 0) state_ = State::content_return;
        } else {
            const auto next = step(wire[at]);
            if (!next) return std::unexpected{next.error()};
            state_ = *next;
            ++at;
            ++wire_;
        }
        if (wire_ > max_wire_) return std::unexpected{Refusal::wire_too_long};
    }
    return Progress{at, state_ == State::done};
}

std::expected<ChunkedBody::State, Refusal> ChunkedBody::step(char c) {
    const auto want = [c](char wanted, State next, Refusal otherwise) -> std::expected<State, Refusal> {
        if (c == wanted) return next;
        return std::unexpected{otherwise};
    };
    switch (state_) {
        case State::size_start:
            chunk_ = 0;
            digits_ = 0;
            return digit(c);
        case State::size_digits:
            return hex_value(c) >= 0 ? digit(c) : after_size(c);
        case State::size_feed:
            if (c != '\n') return std::unexpected{Refusal::chunk_size};
            if (chunk_ == 0) return State::end_return;
            decoded_ += chunk_;
            if (decoded_ > max_body_) return std::unexpected{Refusal::body_too_large};
            return State::content;
        case State::content_return:
            return want('\r', State::content_feed, Refusal::chunk_end);
        case State::content_feed:
            return want('\n', State::size_start, Refusal::chunk_end);
        case State::end_return:
            return want('\r', State::end_feed, Refusal::trailer);
        default:
            return want('\n', State::done, Refusal::trailer);
    }
}

std::expected<ChunkedBody::State, Refusal> ChunkedBody::digit(char c) {
    const int value = hex_value(c);
    const bool leading_zero = digits_ > 0 && chunk_ == 0;
    if (value < 0 || leading_zero || ++digits_ > max_size_digits) return std::unexpected{Refusal::chunk_size};
    chunk_ = chunk_ * 16 + static_cast<std::size_t>(value);
    return State::size_digits;
}

std::expected<ChunkedBody::State, Refusal> ChunkedBody::after_size(char c) const {
    if (c == '\r') return State::size_feed;
    return std::unexpected{c == ';' || is_blank(c) ? Refusal::chunk_extension : Refusal::chunk_size};
}

}  // namespace sluice::gate
