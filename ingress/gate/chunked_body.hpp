#pragma once

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>

#include "common/webhook/gate/gate_refusal.hpp"

namespace sluice::gate {

/// Strict decoder of one chunked body (RFC 9112 section 7.1): no extensions, no trailers, sizes of 1
/// to 8 hex digits without leading zeros, CRLF only. Bounded in the bytes of the body and in the bytes
/// on the wire, since one-byte chunks cost six times their content. Pure; feed it as bytes come.
class ChunkedBody {
public:
    ChunkedBody(std::size_t max_body, std::size_t max_wire) : max_body_{max_body}, max_wire_{max_wire} {}

    struct Progress {
        std::size_t consumed;  ///< of the bytes given; less than all only when complete
        bool complete;
    };

    /// Appends content to `body`. Nothing may be fed after completion or a refusal.
    [[nodiscard]] std::expected<Progress, Refusal> feed(std::string_view wire, std::string& body);

private:
    enum class State {
        size_start,
        size_digits,
        size_feed,
        content,
        content_return,
        content_feed,
        end_return,
        end_feed,
        done
    };

    [[nodiscard]] std::expected<State, Refusal> step(char c);
    [[nodiscard]] std::expected<State, Refusal> digit(char c);
    [[nodiscard]] std::expected<State, Refusal> after_size(char c) const;

    std::size_t max_body_;
    std::size_t max_wire_;
    std::size_t wire_ = 0;
    std::size_t decoded_ = 0;
    std::size_t chunk_ = 0;  ///< size being read, then what is left of the chunk
    int digits_ = 0;
    State state_ = State::size_start;
};

}  // namespace sluice::gate
