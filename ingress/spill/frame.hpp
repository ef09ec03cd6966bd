#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

/// How records lie in a segment of the journal. A segment begins with a head that has its mark; then come
/// frames: mark (16 hex digits), length of the payload and CRC-32C of length and payload (4 bytes each,
/// little endian), payload. The mark is random for each segment: what a provider puts into a body can never
/// look like a frame. Pure.
namespace sluice::spill {

using Mark = std::array<char, 16>;

struct Frame {
    std::size_t begin = 0;
    std::size_t end = 0;  ///< behind it
    std::string_view payload{};
};

inline constexpr std::size_t head_size = 32;

[[nodiscard]] std::string segment_head(const Mark& mark);
/// nullopt: these bytes do not begin with a head.
[[nodiscard]] std::optional<Mark> mark_of(std::string_view segment) noexcept;

[[nodiscard]] std::size_t frame_size(std::string_view payload) noexcept;
/// `payload` is shorter than 4 GiB.
void append_frame(std::string& bytes, const Mark& mark, std::string_view payload);

/// Whether these bytes, in which there is no whole frame, can be what was written of one before the process
/// was killed, or what a disk holds that was never synced. No: one is there in its full length, and wrong.
[[nodiscard]] bool is_torn(std::string_view rest, const Mark& mark);

/// The first whole frame at or behind `from`. What lies before it is damaged, or was never synced.
[[nodiscard]] std::optional<Frame> next_frame(std::string_view segment, const Mark& mark, std::size_t from);

}  // namespace sluice::spill
