#include "common/record/wire_fields.hpp"

namespace sluice::record {
namespace {

// The low three bits of a tag.
constexpr std::uint32_t varint = 0;
constexpr std::uint32_t eight_bytes = 1;
constexpr std::uint32_t with_length = 2;
constexpr std::uint32_t four_bytes = 5;

}  // namespace

WireFields::WireFields(std::string_view message)
    : message_{message},
      in_{reinterpret_cast<const std::uint8_t*>(message.data()), static_cast<int>(message.size())} {}

bool WireFields::read_text(std::string_view& text) {
    std::uint64_t size = 0;
    if (!in_.ReadVarint64(&size)) return false;
    const auto at = static_cast<std::size_t>(in_.CurrentPosition());
    if (size > message_.size() - at) return false;
    text = message_.substr(at, size);
    return in_.Skip(static_cast<int>(size));
}

bool WireFields::read_value(std::uint32_t tag, WireField& field) {
    switch (tag & 7) {
        case varint:
            field.kind = WireField::Kind::number;
            return in_.ReadVarint64(&field.value);
        case with_length:
            field.kind = WireField::Kind::text;
            return read_text(field.text);
        case eight_bytes:
            return in_.Skip(8);
        case four_bytes:
            return in_.Skip(4);
        default:
            return false;
    }
}

std::optional<WireField> WireFields::next() {
    const std::uint32_t tag = broken_ ? 0 : in_.ReadTag();
    if (tag == 0) return std::nullopt;
    WireField field{.number = static_cast<int>(tag >> 3)};
    broken_ = field.number == 0 || !read_value(tag, field);
    return broken_ ? std::nullopt : std::optional{field};
}

}  // namespace sluice::record
