#pragma once

#include <cstdint>
#include <expected>
#include <span>
#include <string_view>

namespace sluice::gate {

/// Why a request never got past the gate. Each has one status and one name (gate_refusal.cpp holds the
/// table); the connection is closed after every one of them and nothing is parsed any further.
enum class Refusal : std::uint8_t {
    // the bytes of the head
    bare_line_feed,
    bare_carriage_return,
    request_line,
    method,
    target_form,
    target_bytes,
    target_too_long,
    version,
    head_too_large,
    too_many_fields,
    folded_field,
    field_name,
    field_value,
    underscored_name,
    // what the fields mean
    missing_host,
    repeated_host,
    host,
    content_length,
    repeated_content_length,
    length_and_coding,
    repeated_transfer_encoding,
    transfer_encoding,
    transfer_encoding_in_1_0,
    expectation,
    upgrade,
    connection_option,
    // who asks, and what for
    client_not_allowed,
    unknown_path,
    method_not_allowed,
    length_required,
    chunked_not_allowed,
    body_too_large,
    second_opinion,
    // chunks
    chunk_size,
    chunk_extension,
    chunk_end,
    trailer,
    wire_too_long,
    // time and room
    head_timeout,
    body_timeout,
    too_many_connections,
    too_many_new_connections,
};

struct RefusalRow {
    Refusal refusal;
    int status;
    std::string_view name;  ///< in log lines and metrics; a closed set
};

[[nodiscard]] inline std::unexpected<Refusal> refuse(Refusal why) {
    return std::unexpected{why};
}

[[nodiscard]] const RefusalRow& row_of(Refusal refusal) noexcept;
[[nodiscard]] std::span<const RefusalRow> all_refusals() noexcept;

/// The whole answer, ready to be written: no body, `Connection: close`.
[[nodiscard]] std::string_view response_of(Refusal refusal) noexcept;

}  // namespace sluice::gate
