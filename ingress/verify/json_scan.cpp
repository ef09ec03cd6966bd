#include "ingress/verify/json_scan.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace sluice::verify {

namespace {

enum class Mark : std::uint8_t { none, quote, opens, closes, comma };

constexpr auto marks = [] {
    std::array<Mark, 256> table{};
    table['"'] = Mark::quote;
    table['['] = table['{'] = Mark::opens;
    table[']'] = table['}'] = Mark::closes;
    table[','] = Mark::comma;
    return table;
}();

/// A cursor over JSON text that stays inside it.
class Cursor {
public:
    explicit Cursor(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

    [[nodiscard]] const char* at() const { return at_; }
    [[nodiscard]] bool done() const { return at_ == end_; }
    [[nodiscard]] char here() const { return *at_; }
    [[nodiscard]] Mark mark() const { return marks[static_cast<unsigned char>(*at_)]; }
    void step() {
        if (at_ != end_) ++at_;
    }

    /// From an opening quote to behind the closing one: the first without an odd run of
    /// backslashes before it.
    void skip_string() {
        step();
        const char* const first = at_;
        while (!done()) {
            const auto* quote =
                static_cast<const char*>(std::memchr(at_, '"', static_cast<std::size_t>(end_ - at_)));
            if (quote == nullptr) break;
            const char* run = quote;
            while (run != first && run[-1] == '\\') --run;
            at_ = quote + 1;
            if ((quote - run) % 2 == 0) return;
        }
        at_ = end_;
    }

    void skip_value() {
        if (done()) return;
        if (mark() == Mark::quote) return skip_string();
        if (mark() == Mark::opens) return skip_container();
        while (!done() && mark() != Mark::comma && mark() != Mark::closes) ++at_;
    }

private:
    void skip_container() {
        std::size_t open = 0;
        while (!done()) {
            switch (mark()) {
                case Mark::quote:
                    skip_string();
                    break;
                case Mark::opens:
                    ++open, ++at_;
                    break;
                case Mark::closes:
                    ++at_;
                    if (--open == 0) return;
                    break;
                default:
                    ++at_;
            }
        }
    }

    const char* at_;
    const char* end_;
};

/// From an opening brace or bracket to the value of its member or element number `ordinal`.
void enter(Cursor& cursor, std::size_t ordinal) {
    const bool is_object = !cursor.done() && cursor.here() == '{';
    for (std::size_t k = 0; !cursor.done(); ++k) {
        cursor.step();  // the opening character, or a comma
        if (is_object) {
            cursor.skip_string();
            cursor.step();  // the colon
        }
        if (k == ordinal) return;
        cursor.skip_value();
    }
}

}  // namespace

std::string_view value_at(std::string_view text, std::span<const std::size_t> ordinals) {
    Cursor cursor(text);
    for (const std::size_t ordinal : ordinals) enter(cursor, ordinal);
    const char* const begin = cursor.at();
    cursor.skip_value();
    return {begin, cursor.at()};
}

std::size_t nesting_of(std::string_view text) {
    std::size_t open = 0;
    std::size_t most = 0;
    for (Cursor cursor(text); !cursor.done();) {
        const Mark mark = cursor.mark();
        if (mark == Mark::quote) {
            cursor.skip_string();
            continue;
        }
        if (mark == Mark::opens) most = std::max(most, ++open);
        if (mark == Mark::closes && open > 0) --open;
        cursor.step();
    }
    return most;
}

}  // namespace sluice::verify
