#include "common/webhook/gate/gate_refusal.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "common/webhook/gate/raw_response.hpp"

namespace sluice::gate {
namespace {

using enum Refusal;

// In the order of the enumeration: a row is found by its number.
constexpr auto table = std::to_array<RefusalRow>({
    {bare_line_feed, 400, "bare_line_feed"},
    {bare_carriage_return, 400, "bare_carriage_return"},
    {request_line, 400, "request_line"},
    {method, 400, "method"},
    {target_form, 400, "target_form"},
    {target_bytes, 400, "target_bytes"},
    {target_too_long, 414, "target_too_long"},
    {version, 505, "version"},
    {head_too_large, 431, "head_too_large"},
    {too_many_fields, 431, "too_many_fields"},
    {folded_field, 400, "folded_field"},
    {field_name, 400, "field_name"},
    {field_value, 400, "field_value"},
    {underscored_name, 400, "underscored_name"},
    {missing_host, 400, "missing_host"},
    {repeated_host, 400, "repeated_host"},
    {host, 400, "host"},
    {content_length, 400, "content_length"},
    {repeated_content_length, 400, "repeated_content_length"},
    {length_and_coding, 400, "length_and_coding"},
    {repeated_transfer_encoding, 400, "repeated_transfer_encoding"},
    {transfer_encoding, 501, "transfer_encoding"},
    {transfer_encoding_in_1_0, 400, "transfer_encoding_in_1_0"},
    {expectation, 417, "expectation"},
    {upgrade, 400, "upgrade"},
    {connection_option, 400, "connection_option"},
    {client_not_allowed, 403, "client_not_allowed"},
    {unknown_path, 404, "unknown_path"},
    {method_not_allowed, 405, "method_not_allowed"},
    {length_required, 411, "length_required"},
    {chunked_not_allowed, 411, "chunked_not_allowed"},
    {body_too_large, 413, "body_too_large"},
    {second_opinion, 400, "second_opinion"},
    {chunk_size, 400, "chunk_size"},
    {chunk_extension, 400, "chunk_extension"},
    {chunk_end, 400, "chunk_end"},
    {trailer, 400, "trailer"},
    {wire_too_long, 413, "wire_too_long"},
    {head_timeout, 408, "head_timeout"},
    {body_timeout, 408, "body_timeout"},
    {too_many_connections, 503, "too_many_connections"},
    {too_many_new_connections, 503, "too_many_new_connections"},
});

constexpr bool in_order() {
    for (std::size_t i = 0; i < table.size(); ++i)
        if (std::to_underlying(table[i].refusal) != i) return false;
    return table.back().refusal == too_many_new_connections;
}
static_assert(in_order());

std::string_view extra_field(const RefusalRow& row) {
    if (row.status == 405) return "Allow: POST\r\n";
    if (row.status == 503) return "Retry-After: 5\r\n";
    return "";
}

const std::array<std::string, table.size()>& responses() {
    static const auto built = [] {
        std::array<std::string, table.size()> all;
        std::ranges::transform(table, all.begin(), [](const RefusalRow& row) {
            return raw_response({row.status, {}, {}}, extra_field(row), After::close);
        });
        return all;
    }();
    return built;
}

}  // namespace

const RefusalRow& row_of(Refusal refusal) noexcept {
    return table[std::to_underlying(refusal)];
}

std::span<const RefusalRow> all_refusals() noexcept {
    return table;
}

std::string_view response_of(Refusal refusal) noexcept {
    return responses()[std::to_underlying(refusal)];
}

}  // namespace sluice::gate
