#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <variant>

#include "common/clock.hpp"

namespace sluice::trace {

/// OTLP's numbers.
enum class Kind : std::uint8_t { internal = 1, server = 2, client = 3, producer = 4, consumer = 5 };

/// Keys are those of conventions.hpp. Without a value, or with an empty text, an attribute is left out.
struct Attribute {
    using Value = std::variant<std::monostate, std::string_view, std::int64_t>;
    std::string_view key;
    Value value;
};

/// A span of some trace, its ids as lower-case hex. Empty: none.
struct SpanName {
    std::string_view trace_id;
    std::string_view span_id;
};

/// One span that has ended. Spans are reported afterwards, when their outcome is known: a span that is not
/// exported is never built. The views live until it is handed over.
struct Span {
    std::string_view name;
    Kind kind = Kind::internal;
    SpanName self;
    std::string_view parent_id{};  ///< empty: the trace's first
    bool sampled = false;          ///< kept by ratio or by its caller; false: kept for its error
    WallTime began{};
    WallTime ended{};
    std::string_view error{};  ///< error.type, a closed set; empty: none
    std::initializer_list<Attribute> attributes{};
    std::span<const SpanName> links{};
};

}  // namespace sluice::trace
