#pragma once

#include <array>
#include <string>
#include <string_view>

namespace sluice::trace {

/// A W3C trace context (https://www.w3.org/TR/trace-context/, version 00), held as its text.
class Context {
public:
    Context() = default;  ///< none: everything is empty

    [[nodiscard]] std::string_view traceparent() const noexcept { return part(0, length); }
    [[nodiscard]] std::string_view trace_id() const noexcept { return part(3, 32); }
    [[nodiscard]] std::string_view span_id() const noexcept { return part(36, 16); }
    /// The caller's span: empty where the trace begins with us.
    [[nodiscard]] std::string_view parent_id() const noexcept {
        return {parent_.data(), has_parent_ ? parent_.size() : 0};
    }
    [[nodiscard]] bool sampled() const noexcept { return part(54, 1) == "1"; }
    /// Marks the trace as kept, for every process that continues it.
    void sample() noexcept { text_.back() = '1'; }
    /// tracestate as received, at most 512 bytes, else empty.
    [[nodiscard]] const std::string& state() const noexcept { return state_; }

    friend Context continue_trace(std::string_view traceparent, std::string_view tracestate);

private:
    static constexpr std::size_t length = 55;
    [[nodiscard]] std::string_view part(std::size_t at, std::size_t count) const noexcept {
        return is_known_ ? std::string_view{text_.data() + at, count} : std::string_view{};
    }

    std::array<char, length> text_{};
    std::array<char, 16> parent_{};
    bool is_known_ = false;
    bool has_parent_ = false;
    std::string state_;
};

/// Whether `text` is a traceparent of version 00, or begins as one of a later version must.
[[nodiscard]] bool is_traceparent(std::string_view text) noexcept;

/// For a well-formed one: whether the caller says that the trace is kept.
[[nodiscard]] bool is_sampled(std::string_view traceparent) noexcept;

/// Continues the caller's context where it is well-formed, else starts a new trace. The span id
/// is always new. `traceparent` and `tracestate` may be empty.
[[nodiscard]] Context continue_trace(std::string_view traceparent, std::string_view tracestate);

}  // namespace sluice::trace
