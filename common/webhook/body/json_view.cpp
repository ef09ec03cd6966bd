#include "common/webhook/body/json_view.hpp"

#include <simdjson.h>

#include <algorithm>
#include <cstring>

#include "common/error.hpp"
#include "common/webhook/body/json_mask.hpp"
#include "common/webhook/body/json_scan.hpp"
#include "common/webhook/body/json_walk.hpp"
#include "common/webhook/body/pointer_tree.hpp"

namespace sluice::webhook {

namespace {

namespace dom = simdjson::dom;
using Leads = JsonPlace::Leads;

constexpr std::size_t first_capacity = 16 * 1024;
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

JsonType type_of(dom::element_type type) {
    switch (type) {
        case dom::element_type::ARRAY:
            return JsonType::array;
        case dom::element_type::OBJECT:
            return JsonType::object;
        case dom::element_type::INT64:
            return JsonType::integer;
        case dom::element_type::UINT64:
            return JsonType::big_number;
        case dom::element_type::DOUBLE:
            return JsonType::real;
        case dom::element_type::STRING:
            return JsonType::string;
        case dom::element_type::BOOL:
            return JsonType::boolean;
        default:
            return JsonType::null;
    }
}

/// Why it leads to no value.
Failure failure_of(const JsonPlace& place) {
    if (place.leads == Leads::two_ways) return Failure{errc::duplicate_key};
    return Failure{place.leads == Leads::nowhere ? errc::missing_pointer : errc::unreadable_body};
}

const JsonPlace unread{.leads = Leads::unread};

/// Whether the error is about a value of the document, which JSON may allow.
bool is_of_value(simdjson::error_code error) {
    return error == simdjson::NUMBER_ERROR || error == simdjson::BIGINT_ERROR ||
           error == simdjson::STRING_ERROR;
}

}  // namespace

struct JsonView::Document {
    /// A buffer that is kept from body to body and only grows.
    class Buffer {
    public:
        char* of_size(std::size_t bytes) {
            if (bytes > size_) {
                bytes_ = std::make_unique_for_overwrite<char[]>(bytes);
                size_ = bytes;
            }
            return bytes_.get();
        }

    private:
        std::unique_ptr<char[]> bytes_;
        std::size_t size_ = 0;
    };

    dom::parser parser;
    dom::element root;
    bool is_readable = false;
    Buffer copy;
    Buffer mask;
    std::string_view body;
    std::string_view parsed;  // the body, or its mask
    bool is_masked = false;
    Buffer compact;

    /// Answers to pointers that are asked together, and to the last other one: questions come in pairs, first
    /// a value's type and then the value.
    JsonPlaces joined;
    JsonPlaces single;

    void forget() {
        is_readable = false;
        joined.forget();
        single.forget();
    }

    const JsonPlace& at(const Pointer& pointer, bool with_extent = false) {
        if (!is_readable || (is_masked && names_stand_in(pointer))) return unread;
        const PointerTree& tree = pointer.tree();
        JsonPlaces& places = tree.is_joined() ? joined : single;
        if (!places.are_of(tree, with_extent)) find(places, tree, with_extent);
        return places[pointer.node()];
    }

    // Rare, and kept out of line so that the common answer needs no more than it does.
    [[gnu::noinline]] void find(JsonPlaces& places, const PointerTree& tree, bool with_extent) const {
        places.find(tree, root, structure(), with_extent || tree.is_joined());
    }
    /// It must not be found as if it were a key of the body.
    [[gnu::noinline]] static bool names_stand_in(const Pointer& pointer) {
        return pointer.text().contains(half_pair);
    }

    simdjson::error_code parse(std::size_t depth) {
        if (const auto error = parser.allocate(std::max(parser.capacity(), first_capacity), depth))
            return error;
        return parser.parse(parsed.data(), parsed.size(), false).get(root);
    }

    /// simdjson counts an empty innermost container as one level less, so `most_nested` refuses
    /// some documents that are just deep enough: those few are counted and parsed once more.
    simdjson::error_code parse_bounded() {
        const auto error = parse(most_nested);
        if (error != simdjson::DEPTH_ERROR || nesting_of(body) > most_nested) return error;
        return parse(most_nested + 1);
    }

    /// A value that the DOM cannot hold must not cost those that it can.
    bool parse_body() {
        parsed = body;
        auto error = parse_bounded();
        is_masked = is_of_value(error) && make_mask();
        if (is_masked) error = parse_bounded();
        return error == simdjson::SUCCESS;
    }

    bool make_mask() {
        char* const target = mask.of_size(body.size() + simdjson::SIMDJSON_PADDING);
        std::memset(target + body.size(), 0, simdjson::SIMDJSON_PADDING);
        if (mask_beyond_dom(body, target) == 0) return false;
        parsed = {target, body.size()};
        return true;
    }

    /// What the parse knows of the body's structure.
    JsonStructure structure() const {
        const auto& stage = *parser.implementation;
        return {body, {stage.structural_indexes.get(), stage.n_structural_indexes}};
    }
};

JsonView::JsonView() : document_(std::make_unique<Document>()) {}
JsonView::~JsonView() = default;
JsonView::JsonView(JsonView&&) noexcept = default;

Result<void> JsonView::read(std::string_view body) {
    char* const copy = document_->copy.of_size(body.size() + simdjson::SIMDJSON_PADDING);
    if (!body.empty()) std::memcpy(copy, body.data(), body.size());
    std::memset(copy + body.size(), 0, simdjson::SIMDJSON_PADDING);
    return read_padded({copy, body.size()});
}

Result<void> JsonView::read_padded(std::string_view body) {
    document_->body = body;
    document_->forget();
    document_->is_readable = !body.starts_with(byte_order_mark) && document_->parse_body();
    if (!document_->is_readable) return Failure{errc::unreadable_body};
    return {};
}

Result<JsonType> JsonView::type(const Pointer& pointer) const {
    const JsonPlace& found = document_->at(pointer);
    if (found.leads != Leads::to_value) return failure_of(found);
    return type_of(found.element.type());
}

Result<std::string_view> JsonView::string(const Pointer& pointer) const {
    const JsonPlace& found = document_->at(pointer, document_->is_masked);
    if (found.leads != Leads::to_value) return failure_of(found);
    std::string_view text;
    if (found.element.get(text) != simdjson::SUCCESS) return Failure{errc::wrong_type};
    if (document_->is_masked && has_half_pair(written_at(document_->structure(), found.extent)))
        return Failure{errc::unreadable_body};
    return text;
}

Result<std::int64_t> JsonView::integer(const Pointer& pointer) const {
    const JsonPlace& found = document_->at(pointer);
    if (found.leads != Leads::to_value) return failure_of(found);
    if (found.element.type() == dom::element_type::INT64) return std::int64_t{found.element.get_int64()};
    if (found.element.is_number()) return Failure{errc::out_of_range};
    return Failure{errc::wrong_type};
}

Result<bool> JsonView::boolean(const Pointer& pointer) const {
    const JsonPlace& found = document_->at(pointer);
    if (found.leads != Leads::to_value) return failure_of(found);
    bool value = false;
    if (found.element.get(value) != simdjson::SUCCESS) return Failure{errc::wrong_type};
    return value;
}

Result<std::string_view> JsonView::minified_view(const Pointer& pointer) const {
    const JsonPlace& found = document_->at(pointer, true);
    if (found.leads != Leads::to_value) return failure_of(found);
    char* const target = document_->compact.of_size(document_->body.size() + copied_at_once);
    return without_space(document_->structure(), found.extent, target);
}

Result<std::string> JsonView::minified(const Pointer& pointer) const {
    return minified_view(pointer).transform([](std::string_view text) { return std::string(text); });
}

Result<std::string_view> JsonView::written(const Pointer& pointer) const {
    const JsonPlace& found = document_->at(pointer, true);
    if (found.leads != Leads::to_value) return failure_of(found);
    return written_at(document_->structure(), found.extent);
}

Result<std::vector<std::string_view>> JsonView::elements(const Pointer& pointer) const {
    const JsonPlace& found = document_->at(pointer, true);
    if (found.leads != Leads::to_value) return failure_of(found);
    if (!found.element.is_array()) return Failure{errc::wrong_type};
    return elements_at(document_->structure(), found.extent);
}

}  // namespace sluice::webhook
