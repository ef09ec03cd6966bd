#include "ingress/spill/frame.hpp"

#include <algorithm>
#include <cstdint>

#include <boost/crc.hpp>

namespace sluice::spill {
namespace {

constexpr std::string_view name_and_version = "sluice spill 01\n";
static_assert(name_and_version.size() + Mark{}.size() == head_size);

constexpr std::size_t length_size = 4;
constexpr std::size_t frame_head = Mark{}.size() + 2 * length_size;

using Crc32c = boost::crc_optimal<32, 0x1EDC6F41, 0xFFFFFFFF, 0xFFFFFFFF, true, true>;

void append_number(std::string& bytes, std::uint32_t number) {
    for (std::size_t i = 0; i < length_size; ++i) bytes.push_back(static_cast<char>(number >> (8 * i)));
}

std::uint32_t number_at(std::string_view bytes, std::size_t at) {
    std::uint32_t number = 0;
    for (std::size_t i = 0; i < length_size; ++i)
        number |= std::uint32_t{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
    return number;
}

std::uint32_t crc_of(std::string_view length, std::string_view payload) {
    Crc32c crc;
    crc.process_bytes(length.data(), length.size());
    crc.process_bytes(payload.data(), payload.size());
    return crc.checksum();
}

/// What begins here in its full length, right or wrong.
std::optional<Frame> frame_at(std::string_view segment, std::size_t begin) {
    if (segment.size() - begin < frame_head) return std::nullopt;
    const std::size_t length = number_at(segment, begin + Mark{}.size());
    const std::size_t payload_at = begin + frame_head;
    if (segment.size() - payload_at < length) return std::nullopt;
    return Frame{begin, payload_at + length, segment.substr(payload_at, length)};
}

bool is_right(std::string_view segment, const Frame& frame) {
    const std::size_t length_at = frame.begin + Mark{}.size();
    return crc_of(segment.substr(length_at, length_size), frame.payload) ==
           number_at(segment, length_at + length_size);
}

/// The first at or behind `from` that `is_sought`.
template <class IsSought>
std::optional<Frame> find_frame(std::string_view segment, const Mark& mark, std::size_t from,
                                IsSought is_sought) {
    const std::string_view sought{mark.data(), mark.size()};
    for (std::size_t at = segment.find(sought, from); at != std::string_view::npos;
         at = segment.find(sought, at + 1))
        if (const auto frame = frame_at(segment, at); frame && is_sought(*frame)) return frame;
    return std::nullopt;
}

}  // namespace

std::string segment_head(const Mark& mark) {
    std::string head{name_and_version};
    head.append(mark.data(), mark.size());
    return head;
}

std::optional<Mark> mark_of(std::string_view segment) noexcept {
    if (segment.size() < head_size || !segment.starts_with(name_and_version)) return std::nullopt;
    Mark mark{};
    std::ranges::copy(segment.substr(name_and_version.size(), mark.size()), mark.begin());
    return mark;
}

std::size_t frame_size(std::string_view payload) noexcept {
    return frame_head + payload.size();
}

void append_frame(std::string& bytes, const Mark& mark, std::string_view payload) {
    bytes.append(mark.data(), mark.size());
    const std::size_t length_at = bytes.size();
    append_number(bytes, static_cast<std::uint32_t>(payload.size()));
    append_number(bytes, crc_of(std::string_view{bytes}.substr(length_at, length_size), payload));
    bytes.append(payload);
}

bool is_torn(std::string_view rest, const Mark& mark) {
    return !find_frame(rest, mark, 0, [](const Frame&) { return true; });
}

std::optional<Frame> next_frame(std::string_view segment, const Mark& mark, std::size_t from) {
    return find_frame(segment, mark, from,
                      [segment](const Frame& frame) { return is_right(segment, frame); });
}

}  // namespace sluice::spill
