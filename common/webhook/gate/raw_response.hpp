#pragma once

#include <string>
#include <string_view>

#include "common/webhook/recipe/answer.hpp"

namespace sluice::gate {

/// What becomes of the connection after an answer.
enum class After { keep_open, close };

/// A whole HTTP/1.1 response as bytes. The ingress builds its own at start-up and on reload, never per
/// request; nothing in them comes from a request. `extra_fields` are complete lines. The date is missing: see
/// write_dated.
[[nodiscard]] std::string raw_response(const webhook::Answer& answer, std::string_view extra_fields,
                                       After after);

/// Makes `out` the response with `date_line` after its status line.
void write_dated(std::string& out, std::string_view response, std::string_view date_line);

/// "HTTP/1.1 100 Continue" with its empty line.
[[nodiscard]] std::string_view continue_response() noexcept;

}  // namespace sluice::gate
