#pragma once

#include <string>
#include <string_view>

namespace sluice::webhook {

/// Adds `text` as UTF-8. False for a charset that none of our providers uses, and for bytes that are not
/// valid in it. UTF-8 itself is copied unchecked: its next reader checks it.
[[nodiscard]] bool append_utf8(std::string& out, std::string_view text, std::string_view charset);

}  // namespace sluice::webhook
