#include "common/webhook/body/json_grammar.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace sluice::webhook {

namespace {

constexpr char no_token = '\0';

constexpr bool is_digit(char c) {
    return static_cast<unsigned char>(c - '0') < 10;
}

constexpr bool is_white(char c) {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/// Each of these takes what must be there and says whether it was.
class Scalar {
public:
    Scalar(const char* begin, const char* end) : at_(begin), end_(end) {}

    bool take_word() { return take("null") || take("true") || take("false"); }

    /// Section 6: no leading zero, a digit on either side of the point, any size.
    bool take_number() {
        (void)take('-');
        if (!take('0') && !take_digits()) return false;
        if (take('.') && !take_digits()) return false;
        if (!take('e') && !take('E')) return true;
        if (!take('+')) (void)take('-');
        return take_digits();
    }

    /// What follows a token without white space belongs to it, or is another.
    [[nodiscard]] bool is_over() const { return at_ == end_ || is_white(*at_); }

private:
    bool take(char c) {
        const bool is_there = at_ != end_ && *at_ == c;
        if (is_there) ++at_;
        return is_there;
    }
    bool take(std::string_view word) {
        const bool is_there = std::string_view{at_, end_}.starts_with(word);
        if (is_there) at_ += word.size();
        return is_there;
    }
    bool take_digits() {
        const char* const before = at_;
        while (at_ != end_ && is_digit(*at_)) ++at_;
        return at_ != before;
    }

    const char* at_;
    const char* const end_;
};

// Out of line: most values are strings.
[[gnu::noinline]] bool is_number_or_word(const char* begin, const char* end) {
    Scalar scalar{begin, end};
    const bool is_number = *begin == '-' || is_digit(*begin);
    return (is_number ? scalar.take_number() : scalar.take_word()) && scalar.is_over();
}

bool is_scalar(const JsonTokens& tokens, TokenNumber token) {
    if (tokens.first_of(token) == '"') return true;
    const char* const text = tokens.text.data();
    return is_number_or_word(text + tokens.places[token], text + tokens.next_place(token));
}

/// Goes through the tokens once, from the first to where they are no document. The last one closes the first:
/// so there is one more behind every other that is right.
class TokenReader {
public:
    TokenReader(const JsonTokens& tokens, TokenNumber* ends) : tokens_(tokens), ends_(ends) {}

    bool is_container() {
        do {
            if (!take_first_value()) return false;
        } while (another_follows());
        return depth_ == 0 && at_ == tokens_.places.size();
    }

private:
    /// A value's tokens up to where it is over, or to where the first in it is.
    bool take_first_value() {
        while (JsonTokens::opens(next())) {
            if (depth_ == most_nested) return false;
            enter();
            if (next() == closing_) {
                leave();
                return true;
            }
            if (!take_key()) return false;
        }
        return is_scalar(tokens_, at_++);
    }

    /// After a value: takes the brackets that close here, the comma, and the key after it.
    bool another_follows() {
        while (goes_on() && next() == closing_) leave();
        if (!goes_on() || next() != ',') return false;
        ++at_;
        return take_key();
    }
    [[nodiscard]] bool goes_on() const { return depth_ > 0 && at_ < tokens_.places.size(); }

    void enter() {
        closing_ = closing(next());
        open_[depth_++] = at_++;
    }

    void leave() {
        ends_[open_[--depth_]] = ++at_;
        if (depth_ > 0) closing_ = closing(tokens_.first_of(open_[depth_ - 1]));
    }

    /// Of an object's member; an element of an array has none.
    bool take_key() {
        if (closing_ == ']') return true;
        const bool is_key = next() == '"' && tokens_.first_of(at_ + 1) == ':';
        at_ += 2;
        return is_key;
    }

    [[nodiscard]] char next() const { return tokens_.first_of(at_); }
    static constexpr char closing(char opening) { return static_cast<char>(opening + 2); }  // as in ASCII

    const JsonTokens& tokens_;
    TokenNumber* const ends_;
    std::array<TokenNumber, most_nested> open_;
    std::size_t depth_ = 0;
    char closing_ = no_token;
    TokenNumber at_ = 0;
};

/// How long the escape is that begins here, 0 for none that JSON has.
std::size_t escape_size(std::string_view text) {
    constexpr std::string_view one_letter = "\"\\/bfnrt";
    constexpr std::size_t by_number = 6;  // backslash, u, four hex digits
    const char kind = text.size() > 1 ? text[1] : no_token;
    if (kind != no_token && one_letter.contains(kind)) return 2;
    if (kind != 'u' || text.size() < by_number) return 0;
    const auto is_hex = [](char c) { return is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f'); };
    return std::ranges::all_of(text.substr(2, 4), is_hex) ? by_number : 0;
}

}  // namespace

bool is_document(const JsonTokens& tokens, TokenNumber* ends) {
    const std::size_t count = tokens.places.size();
    if (count == 0) return false;
    if (!JsonTokens::opens(tokens.first_of(0))) return count == 1 && is_scalar(tokens, 0);
    const bool is_closed = JsonTokens::closes(tokens.first_of(static_cast<TokenNumber>(count - 1)));
    return is_closed && TokenReader{tokens, ends}.is_container();
}

bool find_escapes(JsonTokens& tokens) {
    const std::string_view text = tokens.text;
    std::size_t at = text.find('\\');
    tokens.first_escape = std::min(at, text.size());
    while (at != std::string_view::npos) {
        const std::size_t size = escape_size(text.substr(at));
        if (size == 0) return false;
        tokens.last_escape = at;
        at = text.find('\\', at + size);
    }
    return true;
}

}  // namespace sluice::webhook
