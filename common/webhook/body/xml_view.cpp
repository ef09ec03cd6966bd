#include "common/webhook/body/xml_view.hpp"

#include <algorithm>
#include <iterator>

#include <pugixml.hpp>

#include "common/crypto/encoding.hpp"
#include "common/webhook/body/json_text.hpp"

namespace sluice::webhook {

namespace {

constexpr std::size_t deepest = 32;

bool is_element(const pugi::xml_node& node) {
    return node.type() == pugi::node_element;
}

bool is_marked(const pugi::xml_node& node, const char* attribute, std::string_view value) {
    return node.attribute(attribute).value() == value;
}

std::string text_of(const pugi::xml_node& node) {
    std::string text;
    for (const pugi::xml_node& child : node.children()) {
        if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata) text += child.value();
    }
    return text;
}

bool append_value(std::string& json, const pugi::xml_node& node, std::size_t depth);

/// The elements inside, each with its name in front or not.
bool append_children(std::string& json, const pugi::xml_node& node, std::size_t depth, bool with_names) {
    bool is_first = true;
    for (const pugi::xml_node& child : node.children()) {
        if (!is_element(child)) continue;
        if (!is_first) json += ',';
        is_first = false;
        if (with_names) {
            append_json_string(json, child.name());
            json += ':';
        }
        if (!append_value(json, child, depth + 1)) return false;
    }
    return true;
}

bool append_object(std::string& json, const pugi::xml_node& node, std::size_t depth) {
    json += '{';
    if (!append_children(json, node, depth, true)) return false;
    json += '}';
    return true;
}

bool append_list(std::string& json, const pugi::xml_node& node, std::size_t depth) {
    json += '[';
    if (!append_children(json, node, depth, false)) return false;
    json += ']';
    return true;
}

bool append_value(std::string& json, const pugi::xml_node& node, std::size_t depth) {
    if (depth > deepest) return false;
    if (is_marked(node, "type", "array")) return append_list(json, node, depth);
    if (std::ranges::any_of(node.children(), is_element)) return append_object(json, node, depth);
    if (is_marked(node, "nil", "true")) {
        json += "null";
    } else {
        append_json_string(json, text_of(node));
    }
    return true;
}

}  // namespace

bool XmlView::append(std::string& json, std::string_view xml) {
    // Parsed as a fragment, text beside the root is seen, and refused.
    constexpr unsigned how = pugi::parse_default | pugi::parse_doctype | pugi::parse_fragment;
    if (xml.contains('\0')) return false;
    pugi::xml_document document;
    if (!document.load_buffer(xml.data(), xml.size(), how, pugi::encoding_utf8)) return false;
    const pugi::xml_node root = document.first_child();
    if (!is_element(root) || root.next_sibling()) return false;
    return append_object(json, root, 1);
}

bool XmlView::append_base64(std::string& json, std::string_view text) {
    compact_.clear();
    std::ranges::remove_copy(text, std::back_inserter(compact_), '\n');
    xml_.resize(compact_.size() / 4 * 3);
    const auto size = crypto::read_base64(reinterpret_cast<std::uint8_t*>(xml_.data()), compact_);
    return size && append(json, std::string_view{xml_}.substr(0, *size));
}

}  // namespace sluice::webhook
