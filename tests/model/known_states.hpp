#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::model {

/// The states seen so far as bytes, numbered in the order of their discovery. Open addressing over one block
/// of text: a node per state would cost more than the states.
class KnownStates {
public:
    struct Found {
        std::uint32_t number;
        bool is_new;
    };

    KnownStates() : slots_(std::size_t{1} << 16U, empty) {}

    Found add(std::string_view key) {
        if (2 * size() >= slots_.size()) grow();
        for (std::size_t slot = hash(key) & (slots_.size() - 1);; slot = (slot + 1) & (slots_.size() - 1)) {
            if (slots_[slot] == empty) {
                const auto number = static_cast<std::uint32_t>(size());
                slots_[slot] = number;
                text_.append(key);
                ends_.push_back(text_.size());
                return {number, true};
            }
            if (key == (*this)[slots_[slot]]) return {slots_[slot], false};
        }
    }

    [[nodiscard]] std::size_t size() const noexcept { return ends_.size(); }
    /// Valid until the next `add`.
    [[nodiscard]] std::string_view operator[](std::uint32_t number) const {
        const std::size_t begin = number == 0 ? 0 : ends_[number - 1];
        return std::string_view{text_}.substr(begin, ends_[number] - begin);
    }

private:
    static constexpr std::uint32_t empty = 0xffffffff;

    static std::size_t hash(std::string_view key) { return std::hash<std::string_view>{}(key); }

    void grow() {
        slots_.assign(2 * slots_.size(), empty);
        for (std::uint32_t number = 0; number < size(); ++number) {
            std::size_t slot = hash((*this)[number]) & (slots_.size() - 1);
            while (slots_[slot] != empty) slot = (slot + 1) & (slots_.size() - 1);
            slots_[slot] = number;
        }
    }

    std::string text_;
    std::vector<std::size_t> ends_;
    std::vector<std::uint32_t> slots_;
};

}  // namespace sluice::model
