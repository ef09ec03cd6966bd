#include "common/trace/context.hpp"

#include <algorithm>
#include <span>

#include "common/crypto/random.hpp"

namespace sluice::trace {
namespace {

// version(2) - trace id(32) - parent id(16) - flags(2)
constexpr std::size_t trace_at = 3;
constexpr std::size_t trace_length = 32;
constexpr std::size_t parent_at = 36;
constexpr std::size_t parent_length = 16;
constexpr std::size_t flags_at = 53;
constexpr std::size_t full_length = 55;
constexpr std::size_t most_state_bytes = 512;

bool is_lower_hex(std::string_view text) noexcept {
    return std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

bool is_id(std::string_view text) noexcept {
    return is_lower_hex(text) && text.find_first_not_of('0') != std::string_view::npos;
}

bool is_state(std::string_view text) noexcept {
    return text.size() <= most_state_bytes &&
           std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

}  // namespace

bool is_traceparent(std::string_view text) noexcept {
    if (text.size() < full_length) return false;
    const std::string_view version = text.substr(0, 2);
    if (!is_lower_hex(version) || version == "ff") return false;
    if (text.size() > full_length && (version == "00" || text[full_length] != '-')) return false;
    return text[2] == '-' && text[parent_at - 1] == '-' && text[flags_at - 1] == '-' &&
           is_id(text.substr(trace_at, trace_length)) && is_id(text.substr(parent_at, parent_length)) &&
           is_lower_hex(text.substr(flags_at, 2));
}

bool is_sampled(std::string_view traceparent) noexcept {
    const char low = traceparent[flags_at + 1];
    const int digit = low <= '9' ? low - '0' : low - 'a' + 10;
    return (digit & 1) != 0;
}

Context continue_trace(std::string_view traceparent, std::string_view tracestate) {
    Context context;
    const std::span text{context.text_};
    std::ranges::copy(std::string_view{"00-00000000000000000000000000000000-0000000000000000-00"},
                      text.data());
    context.is_known_ = true;
    crypto::write_random_hex(text.subspan(parent_at, parent_length));
    if (!is_traceparent(traceparent)) {
        crypto::write_random_hex(text.subspan(trace_at, trace_length));
        return context;
    }
    std::ranges::copy(traceparent.substr(trace_at, trace_length), text.data() + trace_at);
    std::ranges::copy(traceparent.substr(parent_at, parent_length), context.parent_.data());
    context.has_parent_ = true;
    if (is_sampled(traceparent)) text.back() = '1';
    if (is_state(tracestate)) context.state_ = tracestate;
    return context;
}

}  // namespace sluice::trace
