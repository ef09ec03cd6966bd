#include "command/hot/hot_record.hpp"

#include <algorithm>
#include <utility>

#include "common/crypto/encoding.hpp"
#include "common/record/header_names.hpp"
#include "common/time_text.hpp"

namespace sluice::command {
namespace {

// Written by any release, and read by any other: never renamed.
constexpr std::string_view command_header = "sluice-command";
constexpr std::string_view caller_header_of_record = "sluice-caller";
constexpr std::string_view key_header_of_record = "sluice-command-key";
constexpr std::string_view fingerprint_header = "sluice-fingerprint";

/// Empty where there is none.
std::string_view value_of(std::span<const record::HeaderView> headers, std::string_view name) {
    const auto found = std::ranges::find(headers, name, &record::HeaderView::name);
    return found == headers.end() ? std::string_view{} : found->value;
}

std::unexpected<std::string> malformed(std::string_view header) {
    return std::unexpected{"the header " + std::string{header} + " is missing or malformed"};
}

}  // namespace

OutgoingCommand::OutgoingCommand(const Request& request, std::string account, WallTime accepted_at)
    : account_{std::move(account)},
      fingerprint_{crypto::to_hex(request.fingerprint)},
      accepted_at_{to_rfc3339(accepted_at)},
      headers_{{command_header, request.key.command},
               {caller_header_of_record, request.key.caller},
               {key_header_of_record, request.key.key},
               {fingerprint_header, fingerprint_},
               {record::header::received_at, accepted_at_}} {
    if (!request.traceparent.empty()) headers_.push_back({record::header::traceparent, request.traceparent});
}

std::expected<Request, std::string> request_in(std::span<const record::HeaderView> headers,
                                               std::string_view body) {
    Request request{.key = {.command = std::string{value_of(headers, command_header)},
                            .caller = std::string{value_of(headers, caller_header_of_record)},
                            .key = std::string{value_of(headers, key_header_of_record)}},
                    .body = std::string{body},
                    .traceparent = std::string{value_of(headers, record::header::traceparent)}};
    if (request.key.command.empty()) return malformed(command_header);
    if (request.key.caller.empty()) return malformed(caller_header_of_record);
    if (request.key.key.empty()) return malformed(key_header_of_record);
    const auto fingerprint = crypto::digest_from_hex(value_of(headers, fingerprint_header));
    if (!fingerprint) return malformed(fingerprint_header);
    request.fingerprint = *fingerprint;
    request.accepted_at = from_rfc3339(value_of(headers, record::header::received_at));
    if (!request.accepted_at) return malformed(record::header::received_at);
    return request;
}

}  // namespace sluice::command
