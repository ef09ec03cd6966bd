#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

namespace sluice::fuzz {

/// How bytes come in over a connection: in pieces that follow from the bytes themselves, so that an
/// input stays what it is (a request, a reply) and is always split the same way.
class Splits {
public:
    static constexpr int rounds = 4;

    /// Round 0 is byte by byte (of inputs that are not too long for it), the others are random.
    Splits(std::string_view bytes, int round) : rest_{bytes}, round_{round} {
        for (const char c : bytes) state_ = (state_ ^ static_cast<unsigned char>(c)) * 0x100000001b3;
        state_ += static_cast<std::uint64_t>(round);
    }

    [[nodiscard]] bool done() const noexcept { return rest_.empty(); }

    /// The next piece, never empty.
    [[nodiscard]] std::string_view next() {
        const std::size_t size = std::min(piece(), rest_.size());
        const std::string_view taken = rest_.substr(0, size);
        rest_.remove_prefix(size);
        return taken;
    }

private:
    /// Small pieces are where state machines err; now and then a large one ends the matter.
    std::size_t piece() {
        if (round_ == 0 && rest_.size() <= 4096) return 1;
        state_ ^= state_ << 13;
        state_ ^= state_ >> 7;
        state_ ^= state_ << 17;
        const auto most = std::size_t{1} << (state_ % 13);
        return 1 + (state_ >> 32) % most;
    }

    std::string_view rest_;
    int round_;
    std::uint64_t state_ = 0xcbf29ce484222325;
};

}  // namespace sluice::fuzz
