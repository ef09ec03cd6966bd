#pragma once

#include <string>
#include <string_view>

namespace sluice::webhook {

/// XML as JSON, for readers that know only JSON: the content of the root element is an object, an element
/// with others inside is an object too, one with type="array" a list of what it holds, one with nil="true"
/// null, any other its text. Sibling elements with one name are a key that occurs twice. UTF-8 only. One
/// thread; its memory is reused.
class XmlView {
public:
    /// Adds the object. False for what is not a document, has a document type or is more than 32 deep.
    [[nodiscard]] static bool append(std::string& json, std::string_view xml);
    /// The same for base64, with or without line feeds.
    [[nodiscard]] bool append_base64(std::string& json, std::string_view text);

private:
    std::string compact_;
    std::string xml_;
};

}  // namespace sluice::webhook
