#pragma once

#include <format>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::webhook {

/// A value as it was written into a random document, kept beside it: no parser has seen it.
struct GrownValue {
    enum class Kind { scalar, text, object, array };
    Kind kind = Kind::scalar;
    std::string text{};        ///< what a string stands for
    bool has_no_text = false;  ///< of a string: half of a surrogate pair is in it
    std::size_t begin = 0;     ///< in the document
    std::size_t end = 0;
    std::vector<std::string> keys{};  ///< of an object, as they are meant
    std::vector<GrownValue> values{};
};

/// Documents with few keys, so that many stand twice, escaped in one of several ways; white space everywhere;
/// values that look like structure; numbers and texts that need a mask.
class JsonGrower {
public:
    explicit JsonGrower(unsigned seed) : random_(seed) {}

    std::string document;
    GrownValue root;

    void grow() {
        space();
        root = value(0);
        space();
    }

    /// Anything from the root to below the leaves, most often somewhere that exists.
    std::vector<std::string> tokens() {
        std::vector<std::string> tokens;
        for (std::size_t i = pick(6); i > 0; --i) tokens.emplace_back(keys[pick(std::size(keys))]);
        const GrownValue* at = &root;
        for (std::size_t i = 0; i < tokens.size() && !at->values.empty() && pick(8) != 0; ++i) {
            const std::size_t chosen = pick(at->values.size());
            tokens[i] = at->kind == GrownValue::Kind::object ? at->keys[chosen] : std::to_string(chosen);
            at = &at->values[chosen];
        }
        return tokens;
    }

    std::size_t pick(std::size_t below) {
        return std::uniform_int_distribution<std::size_t>(0, below - 1)(random_);
    }

private:
    static constexpr std::string_view keys[] = {"a",  "b",   "ab", "data",     "",    "0",  "1",
                                                "01", "a/b", "~",  "\xC3\xA9", "q\"", "\\", "-"};

    void space() {
        for (std::size_t i = pick(4) == 0 ? pick(40) : pick(2); i > 0; --i) document += " \t\r\n"[pick(4)];
    }

    void key(std::string_view meant) {
        document += '"';
        for (const char c : meant) {
            const bool must = c == '"' || c == '\\';
            if (static_cast<unsigned char>(c) < 0x80 && (must || pick(4) == 0))
                document += must && pick(2) == 0 ? std::string{'\\', c} : std::format("\\u{:04x}", int{c});
            else
                document += c;
        }
        document += '"';
    }

    GrownValue value(int depth) {
        const std::size_t kind = pick(depth > 5 ? 4 : 8);
        GrownValue grown{.begin = document.size()};
        if (kind < 2) scalar();
        if (kind == 2 || kind == 3) string(grown);
        if (kind > 3) container(grown, depth, kind == 4);
        grown.end = document.size();
        return grown;
    }

    void scalar() {
        static constexpr std::string_view scalars[] = {"0",     "1.10",
                                                       "-1e2",  "12",
                                                       "null",  "true",
                                                       "false", "123456789012345678901",
                                                       "1e999", "18446744073709551615"};
        document += scalars[pick(std::size(scalars))];
    }

    void string(GrownValue& grown) {
        struct Written {
            std::string_view text;
            std::string_view meant;
            bool has_no_text = false;
        };
        static constexpr Written strings[] = {
            {R"("")", ""},
            {R"("a \"b\" {[,:]} \\")", R"(a "b" {[,:]} \)"},
            {R"("  spaces stay  ")", "  spaces stay  "},
            {R"("\ud83d\ude00 \u00e9 é")", "\xF0\x9F\x98\x80 é é"},
            {R"("\ud800")", "", true},
            {R"("a text that is longer than what is copied at once, twice as long")",
             "a text that is longer than what is copied at once, twice as long"}};
        const Written& chosen = strings[pick(std::size(strings))];
        document += chosen.text;
        grown.kind = GrownValue::Kind::text;
        grown.text = chosen.meant;
        grown.has_no_text = chosen.has_no_text;
    }

    void container(GrownValue& grown, int depth, bool is_array) {
        grown.kind = is_array ? GrownValue::Kind::array : GrownValue::Kind::object;
        document += is_array ? '[' : '{';
        space();
        for (std::size_t i = 0, count = pick(6); i < count; ++i) {
            if (i > 0) document += ',';
            space();
            if (!is_array) member_key(grown);
            grown.values.push_back(value(depth + 1));
            space();
        }
        document += is_array ? ']' : '}';
    }

    void member_key(GrownValue& grown) {
        grown.keys.emplace_back(keys[pick(std::size(keys))]);
        key(grown.keys.back());
        space();
        document += ':';
        space();
    }

    std::mt19937 random_;
};

}  // namespace sluice::webhook
