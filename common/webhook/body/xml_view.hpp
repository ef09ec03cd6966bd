#pragma once

#include <string>
#include <string_view>

namespace sluice::webhook {

/// XML as JSON, for those who know only that: what stands in the root element is an object, an element with
/// others inside is an object too, one with type="array" a list of what it holds, one with nil="true" null,
/// any other its text. Elements of one name beside each other are a key that stands twice. UTF-8 only. Memory
/// of one thread, used again.
class XmlView {
public:
    /// Adds the object. False for what is no document, has a document type or is more than 32 deep.
    [[nodiscard]] static bool append(std::string& json, std::string_view xml);
    /// The same of base64, with or without line feeds.
    [[nodiscard]] bool append_base64(std::string& json, std::string_view text);

private:
    std::string compact_;
    std::string xml_;
};

}  // namespace sluice::webhook
