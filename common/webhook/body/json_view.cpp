#include "common/webhook/body/json_view.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <memory_resource>
#include <optional>

#include "common/error.hpp"
#include "common/webhook/body/json_index.hpp"
#include "common/webhook/body/json_scan.hpp"
#include "common/webhook/body/json_walk.hpp"
#include "common/webhook/body/pointer_tree.hpp"

namespace sluice::webhook {

namespace {

using Leads = JsonPlace::Leads;

const JsonPlace unread{.leads = Leads::unread};

/// Why it leads to no value.
Failure failure_of(const JsonPlace& place) {
    if (place.leads == Leads::two_ways) return Failure{errc::duplicate_key};
    return Failure{place.leads == Leads::nowhere ? errc::missing_pointer : errc::unreadable_body};
}

bool is_whole(std::string_view number) {
    return number.find_first_of(".eE") == std::string_view::npos;
}

std::optional<std::int64_t> in_64_bits(std::string_view whole) {
    std::int64_t number = 0;
    const char* const end = whole.data() + whole.size();
    const auto [stop, error] = std::from_chars(whole.data(), end, number);
    return error == std::errc{} && stop == end ? std::optional{number} : std::nullopt;
}

JsonType type_of_number(std::string_view written) {
    if (!is_whole(written)) return JsonType::real;
    return in_64_bits(written) ? JsonType::integer : JsonType::big_number;
}

/// By its first character, which tells all but numbers from each other.
JsonType kind_of(char first) {
    switch (first) {
        case '{':
            return JsonType::object;
        case '[':
            return JsonType::array;
        case '"':
            return JsonType::string;
        case 't':
        case 'f':
            return JsonType::boolean;
        case 'n':
            return JsonType::null;
        default:
            return JsonType::integer;
    }
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

    JsonIndex index;
    bool is_readable = false;
    Buffer copy;
    Buffer compact;
    struct Text {
        TokenNumber token;
        Result<std::string_view> text;
    };
    std::pmr::monotonic_buffer_resource unescaped;
    std::vector<Text> texts;  // that are not as they are written; in `unescaped`

    /// Answers to pointers that are asked together, and to the last other one: questions come in pairs, first
    /// a value's type and then the value.
    JsonPlaces joined;
    JsonPlaces single;

    [[nodiscard]] const JsonTokens& tokens() const { return index.tokens(); }

    void forget() {
        is_readable = false;
        joined.forget();
        single.forget();
        texts.clear();
        unescaped.release();
    }

    const JsonPlace& at(const Pointer& pointer) {
        if (!is_readable) return unread;
        const PointerTree& tree = pointer.tree();
        JsonPlaces& places = tree.is_joined() ? joined : single;
        if (!places.are_of(tree)) find(places, tree);
        return places[pointer.node()];
    }

    // Rare, and kept out of line so that the common answer needs no more than it does.
    [[gnu::noinline]] void find(JsonPlaces& places, const PointerTree& tree) const {
        places.find(tree, index);
    }

    [[nodiscard]] JsonType kind_at(const JsonPlace& place) const {
        return kind_of(tokens().first_of(place.value.first));
    }
    [[nodiscard]] std::string_view scalar_at(const JsonPlace& place) const {
        return tokens().scalar(place.value.first);
    }

    /// What a string's token stands for. Each is unescaped once, so that all together are not larger than the
    /// body.
    [[gnu::noinline]] Result<std::string_view> unescape(TokenNumber token) {
        const auto known = std::ranges::find(texts, token, &Text::token);
        if (known != texts.end()) return known->text;
        const std::string_view text = tokens().in_quotes(token);
        auto* const target = static_cast<char*>(unescaped.allocate(text.size() + JsonIndex::padding, 1));
        const std::size_t size = index.unescape(text.data(), target);
        Result<std::string_view> meant = std::string_view{target, size == JsonIndex::no_text ? 0 : size};
        if (size == JsonIndex::no_text) meant = Failure{errc::unreadable_body};
        return texts.emplace_back(token, meant).text;
    }
};

JsonView::JsonView() : document_(std::make_unique<Document>()) {}
JsonView::~JsonView() = default;
JsonView::JsonView(JsonView&&) noexcept = default;

Result<void> JsonView::read(std::string_view body) {
    char* const copy = document_->copy.of_size(body.size() + JsonIndex::padding);
    if (!body.empty()) std::memmove(copy, body.data(), body.size());  // it may be a text of the last one
    std::memset(copy + body.size(), 0, JsonIndex::padding);
    return read_padded({copy, body.size()});
}

Result<void> JsonView::read_padded(std::string_view body) {
    document_->forget();
    document_->is_readable = document_->index.read(body);
    if (!document_->is_readable) return Failure{errc::unreadable_body};
    return {};
}

Result<JsonType> JsonView::type(const Pointer& pointer) const {
    const JsonPlace& found = document_->at(pointer);
    if (found.leads != Leads::to_value) return failure_of(found);
    const JsonType kind = document_->kind_at(found);
    return kind == JsonType::integer ? type_of_number(document_->scalar_at(found)) : kind;
}

Result<std::string_view> JsonView::string(const Pointer& pointer) const {
    const JsonPlace& found = document_->at(pointer);
    if (found.leads != Leads::to_value) return failure_of(found);
    if (document_->kind_at(found) != JsonType::string) return Failure{errc::wrong_type};
    const std::string_view text = document_->tokens().in_quotes(found.value.first);
    return document_->tokens().is_escaped(text) ? document_->unescape(found.value.first) : text;
}

Result<std::int64_t> JsonView::integer(const Pointer& pointer) const {
    const JsonPlace& found = document_->at(pointer);
    if (found.leads != Leads::to_value) return failure_of(found);
    if (document_->kind_at(found) != JsonType::integer) return Failure{errc::wrong_type};
    const auto number = in_64_bits(document_->scalar_at(found));
    return number ? Result<std::int64_t>{*number} : Failure{errc::out_of_range};
}

Result<bool> JsonView::boolean(const Pointer& pointer) const {
    const JsonPlace& found = document_->at(pointer);
    if (found.leads != Leads::to_value) return failure_of(found);
    if (document_->kind_at(found) != JsonType::boolean) return Failure{errc::wrong_type};
    return document_->tokens().first_of(found.value.first) == 't';
}

Result<std::string_view> JsonView::minified_view(const Pointer& pointer) const {
    const JsonPlace& found = document_->at(pointer);
    if (found.leads != Leads::to_value) return failure_of(found);
    const JsonTokens& tokens = document_->tokens();
    return without_space(tokens, found.value,
                         document_->compact.of_size(tokens.text.size() + copied_at_once));
}

Result<std::string> JsonView::minified(const Pointer& pointer) const {
    return minified_view(pointer).transform([](std::string_view text) { return std::string(text); });
}

Result<std::string_view> JsonView::written(const Pointer& pointer) const {
    const JsonPlace& found = document_->at(pointer);
    if (found.leads != Leads::to_value) return failure_of(found);
    return written_at(document_->tokens(), found.value);
}

Result<std::vector<std::string_view>> JsonView::elements(const Pointer& pointer) const {
    const JsonPlace& found = document_->at(pointer);
    if (found.leads != Leads::to_value) return failure_of(found);
    if (document_->kind_at(found) != JsonType::array) return Failure{errc::wrong_type};
    return elements_at(document_->tokens(), found.value);
}

}  // namespace sluice::webhook
