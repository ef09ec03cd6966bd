#pragma once

#include <simdjson.h>

#include <string>
#include <string_view>

namespace sluice::fuzz {

/// A document as simdjson's DOM holds it, behind the rules of webhook::JsonIndex: what the DOM cannot hold
/// has a stand-in (json_mask.hpp).
class DomDocument {
public:
    /// False: no document. `body` is copied.
    [[nodiscard]] bool read(std::string_view body);
    [[nodiscard]] simdjson::dom::element root() const { return root_; }
    [[nodiscard]] bool is_masked() const { return is_masked_; }

private:
    [[nodiscard]] simdjson::error_code parse(std::size_t depth);
    [[nodiscard]] simdjson::error_code parse_bounded();

    simdjson::dom::parser parser_;
    simdjson::dom::element root_;
    std::string text_;
    bool is_masked_ = false;
};

}  // namespace sluice::fuzz
