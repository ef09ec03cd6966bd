#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>

namespace sluice::ctl {

/// Everything that chance decides in sample traffic; one seed gives one sequence on every machine.
class Dice {
public:
    explicit Dice(std::uint64_t seed) : engine_{seed} {}

    /// 0 to bound - 1; bound is at least 1. (The bias of the remainder is of no matter here, and the
    /// standard's distributions differ between libraries.)
    [[nodiscard]] std::uint64_t below(std::uint64_t bound) { return engine_() % bound; }

    /// An id as Stripe makes them: prefix and `length` letters and digits.
    [[nodiscard]] std::string id(std::string_view prefix, std::size_t length = 24) {
        constexpr std::string_view alphabet =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
        std::string text{prefix};
        for (std::size_t i = 0; i < length; ++i) text += alphabet[below(alphabet.size())];
        return text;
    }

private:
    std::mt19937_64 engine_;
};

}  // namespace sluice::ctl
