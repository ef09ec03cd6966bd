#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/// Sixteen bytes at a time: bit n of an answer is about the byte n.
namespace sluice::gate {

inline constexpr std::size_t sixteen = 16;

/// The first sixteen bytes of a text, by the compiler alone. A shorter text is filled up with letters.
class PortableSixteen {
public:
    explicit PortableSixteen(std::string_view text) noexcept {
        bytes_.fill('x');
        std::memcpy(bytes_.data(), text.data(), std::min(text.size(), sixteen));
    }

    [[nodiscard]] unsigned where(char c) const noexcept {
        return where_it([c](unsigned char byte) { return byte == static_cast<unsigned char>(c); });
    }
    /// Above 0x7f.
    [[nodiscard]] unsigned where_obs_text() const noexcept {
        return where_it([](unsigned char byte) { return byte > 0x7f; });
    }
    /// Neither visible ASCII nor a space.
    [[nodiscard]] unsigned where_unprintable() const noexcept {
        return where_it([](unsigned char byte) { return byte < 0x20 || byte > 0x7e; });
    }

private:
    template <class Is>
    [[nodiscard]] unsigned where_it(Is is) const noexcept {
        unsigned bits = 0;
        for (std::size_t i = 0; i < sixteen; ++i)
            bits |= static_cast<unsigned>(is(static_cast<unsigned char>(bytes_[i]))) << i;
        return bits;
    }

    std::array<char, sixteen> bytes_;
};

#ifdef __SSE2__

/// The same by SSE2, which every processor of x86-64 has.
class Sixteen {
public:
    explicit Sixteen(std::string_view text) noexcept {
        if (text.size() >= sixteen) {
            bytes_ = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data()));
        } else {
            char filled[sixteen];
            std::memset(filled, 'x', sixteen);
            std::memcpy(filled, text.data(), text.size());
            bytes_ = _mm_loadu_si128(reinterpret_cast<const __m128i*>(filled));
        }
    }

    [[nodiscard]] unsigned where(char c) const noexcept {
        return bits(_mm_cmpeq_epi8(bytes_, _mm_set1_epi8(c)));
    }
    [[nodiscard]] unsigned where_obs_text() const noexcept { return bits(bytes_); }
    [[nodiscard]] unsigned where_unprintable() const noexcept {
        // Signed: what is above 0x7f is below the space too.
        const __m128i below = _mm_cmplt_epi8(bytes_, _mm_set1_epi8(' '));
        return bits(_mm_or_si128(below, _mm_cmpeq_epi8(bytes_, _mm_set1_epi8('\x7f'))));
    }

private:
    [[nodiscard]] static unsigned bits(__m128i of) noexcept {
        return static_cast<unsigned>(_mm_movemask_epi8(of));
    }

    __m128i bytes_;
};

#else
using Sixteen = PortableSixteen;
#endif

}  // namespace sluice::gate
