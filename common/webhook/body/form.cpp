#include "common/webhook/body/form.hpp"

#include <algorithm>

#include "common/crypto/digest.hpp"
#include "common/crypto/encoding.hpp"
#include "common/webhook/http/form_encoding.hpp"

namespace sluice::webhook {

namespace {

/// Whether the value holds "&name=" with a name that sorts after the field's own and before the next one's.
bool holds_field_before(const Form::Field& field, std::string_view next) {
    std::string_view rest = field.value;
    while (rest.contains('&')) {
        rest.remove_prefix(rest.find('&') + 1);
        const std::size_t end = rest.find_first_of("=&");
        if (end == std::string_view::npos || rest[end] == '&') continue;
        const std::string_view name = rest.substr(0, end);
        if (name > field.name && (next.empty() || name < next)) return true;
    }
    return false;
}

}  // namespace

bool Form::read(std::string_view body) {
    fields_.clear();
    sorted_.clear();
    if (body.size() > size_) {
        bytes_ = std::make_unique_for_overwrite<char[]>(body.size());
        size_ = body.size();
    }
    char* room = bytes_.get();
    while (!body.empty()) {
        const std::string_view pair = body.substr(0, body.find('&'));
        body.remove_prefix(std::min(pair.size() + 1, body.size()));
        if (!pair.empty() && !add(pair, room)) return false;
    }
    return true;
}

bool Form::add(std::string_view pair, char*& room) {
    if (fields_.size() == most_fields) return false;
    const auto decoded = [&](std::string_view encoded) -> std::string_view {
        const auto size = decode_form_text(encoded, room);
        if (!size) return {};
        const std::string_view text{room, *size};
        room += *size;
        return text;
    };
    const std::size_t split = std::min(pair.find('='), pair.size());
    const std::string_view name = decoded(pair.substr(0, split));
    const std::string_view value = decoded(pair.substr(std::min(split + 1, pair.size())));
    fields_.push_back({name, value});
    return name.data() != nullptr && value.data() != nullptr;
}

Form::Found Form::find(std::string_view name) const noexcept {
    Found found;
    for (const Field& field : fields_) {
        if (field.name != name) continue;
        ++found.count;
        found.value = field.value;
    }
    return found;
}

std::span<const Form::Field> Form::sorted() {
    if (sorted_.size() != fields_.size()) {
        sorted_ = fields_;
        std::ranges::sort(sorted_, {}, &Field::name);
    }
    return sorted_;
}

std::size_t Form::most_of_a_name() {
    std::size_t most = 0;
    std::size_t same = 0;
    std::string_view last;
    for (const Field& field : sorted()) {
        same = same > 0 && field.name == last ? same + 1 : 1;
        last = field.name;
        most = std::max(most, same);
    }
    return most;
}

bool Form::is_left_out(const Field& field, std::span<const std::string> drop, bool skip_blank) {
    return std::ranges::contains(drop, field.name) || (skip_blank && is_blank(field.value));
}

std::string_view Form::sorted_text(std::span<const std::string> drop, bool skip_blank) {
    text_.clear();
    for (const Field& field : sorted()) {
        if (is_left_out(field, drop, skip_blank)) continue;
        if (!text_.empty()) text_ += '&';
        text_ += field.name;
        text_ += '=';
        text_ += field.value;
    }
    return text_;
}

bool Form::has_other_reading(std::span<const std::string> drop, bool skip_blank) {
    const Field* last = nullptr;
    for (const Field& field : sorted()) {
        if (is_left_out(field, drop, skip_blank)) continue;
        if (field.name.find_first_of("&=") != std::string_view::npos) return true;
        if (last != nullptr && holds_field_before(*last, field.name)) return true;
        last = &field;
    }
    return last != nullptr && holds_field_before(*last, {});
}

std::string_view Form::sorted_digest(std::span<const std::string> drop, bool skip_blank) {
    digest_ = crypto::to_hex(crypto::sha256(sorted_text(drop, skip_blank)));
    return digest_;
}

bool Form::is_blank(std::string_view value) noexcept {
    return value.find_first_not_of(" \t\n\v\f\r") == std::string_view::npos;
}

}  // namespace sluice::webhook
