#pragma once

#include <string>
#include <string_view>

namespace sluice::webhook {

/// Adds `text` as UTF-8. False for a charset that no provider of ours writes in, and for bytes that are no
/// text of it. UTF-8 itself goes through as it is: whoever reads it next looks at it.
[[nodiscard]] bool append_utf8(std::string& out, std::string_view text, std::string_view charset);

}  // namespace sluice::webhook
