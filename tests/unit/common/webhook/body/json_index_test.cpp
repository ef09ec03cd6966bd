#include "common/webhook/body/json_index.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sluice::webhook {
namespace {

/// A document in a buffer, with something behind it.
class Buffered {
public:
    Buffered(std::string_view text, std::string_view behind) : bytes_(text), size_(text.size()) {
        bytes_ += behind;
        bytes_.resize(bytes_.size() + JsonIndex::padding);
    }
    [[nodiscard]] std::string_view text() const { return std::string_view{bytes_}.substr(0, size_); }

private:
    std::string bytes_;
    std::size_t size_;
};

bool is_document(std::string_view text, std::string_view behind = {}) {
    JsonIndex index;
    return index.read(Buffered{text, behind}.text());
}

// A connection's buffer holds what was read before, or the next request.
TEST(JsonIndex, ReadsNothingThatIsBehindTheDocument) {
    const std::string document = R"({"a":[1,-2.5e+1,true,{"b":null}],"c\u0041":"\"x\"","d":{},"e":[[],[0]]})";
    for (std::size_t size = 0; size <= document.size(); ++size) {
        const std::string_view cut = std::string_view{document}.substr(0, size);
        EXPECT_EQ(is_document(cut, document.substr(size)), size == document.size()) << cut;
        for (const auto* behind :
             {"]]]]]]]", "}}}}}}}", "\"\"\"\"", "{{{{{{{{", "[[[[[[[[", "0000", ",,,,", "::::"})
            EXPECT_EQ(is_document(cut, behind), size == document.size()) << cut << behind;
    }
    for (const auto* number : {"1", "-1", "0", "1.5", "1e5"}) {
        EXPECT_TRUE(is_document(number, "0")) << number;
        EXPECT_TRUE(is_document(number, "x")) << number;
    }
    for (const auto* half : {"-", "1.", "1e", "1e-", "tru", "nul", "fals"})
        for (const auto* behind : {"1", "e", "l", "se"}) EXPECT_FALSE(is_document(half, behind)) << half;
}

TEST(JsonIndex, ATokenEndsWhereJsonSaysThatItDoes) {
    for (const std::string token : {"12", "null", "true", "\"s\"", "1.5", "0"}) {
        for (const char c : {' ', '\t', '\n', '\r'}) EXPECT_TRUE(is_document("[" + token + c + "]")) << token;
        for (const char c : {'\0', '\x01', '\f', '\v', '\x1a', '\x1f', '\x7f', '"', '\\', '\'',
                             'x',  '0',    '-',  '.',  '+',    '/',    '{',    '[', ':',  '\xa0'}) {
            if (token == "12" && c == '0') continue;
            if (token == "1.5" && c == '0') continue;
            EXPECT_FALSE(is_document("[" + token + c + "]")) << token << c;
            EXPECT_FALSE(is_document(token + c)) << token << c;
        }
    }
}

TEST(JsonIndex, OneMistakeAnywhereIsEnough) {
    const std::string document = R"({"a":[1,{"b":[]},[2]],"c":{"d":"e"}})";
    ASSERT_TRUE(is_document(document));
    for (std::size_t at = 0; at < document.size(); ++at) {
        if (!std::string_view{"{}[],:\""}.contains(document[at])) continue;
        std::string without = document;
        without.erase(at, 1);
        EXPECT_FALSE(is_document(without)) << without;
        for (const char c : std::string_view{"{}[],:\""}) {
            const bool may_be_text = document[at] == '"' && c != '"';
            std::string with = document;
            with.insert(at, 1, c);
            EXPECT_TRUE(may_be_text || !is_document(with)) << with;
            if (c == document[at]) continue;
            std::string other = document;
            other[at] = c;
            EXPECT_FALSE(is_document(other)) << other;
        }
    }
}

TEST(JsonIndex, SaysWhereEachContainerEnds) {
    const Buffered document{R"([ {"a" : []}, "[", {} ])", ""};
    JsonIndex index;
    ASSERT_TRUE(index.read(document.text()));
    const JsonTokens& tokens = index.tokens();
    std::vector<TokenNumber> afters;
    for (TokenNumber token = 0; token < tokens.places.size(); ++token)
        if (JsonTokens::opens(tokens.first_of(token))) afters.push_back(tokens.after(token));
    EXPECT_EQ(afters, (std::vector<TokenNumber>{13, 7, 6, 12}));
}

TEST(JsonIndex, KnowsEveryEscape) {
    for (const auto* escape : {"\\\"", "\\\\", "\\/", "\\b", "\\f", "\\n", "\\r", "\\t", "\\u0000", "\\uABCD",
                               "\\uabcd", "\\ud800", "\\udfff"})
        EXPECT_TRUE(is_document(std::string{"\""} + escape + "\"")) << escape;
    for (const auto* escape : {"\\a", "\\0", "\\x41", "\\U0041", "\\u", "\\u0", "\\u004", "\\u004g",
                               "\\u 041", "\\'", "\\ ", "\\N", "\\u00:0", "\\u@041"})
        EXPECT_FALSE(is_document(std::string{"\""} + escape + "\"")) << escape;
    EXPECT_FALSE(is_document(std::string_view{"\"\\\0\"", 4}));
    EXPECT_FALSE(is_document(R"([\"a"])"));
    EXPECT_FALSE(is_document(R"([1\n])"));
}

TEST(JsonIndex, ReadsLongDocumentsAfterShortOnes) {
    JsonIndex index;
    for (const std::size_t size : {1U, 100'000U, 10U, 300'000U}) {
        std::string list = "[";
        for (std::size_t i = 0; i < size; ++i) list += "{},";
        ASSERT_TRUE(index.read(Buffered{list + "[]]", ""}.text()));
        EXPECT_FALSE(index.read(Buffered{list + "]", ""}.text()));
    }
}

}  // namespace
}  // namespace sluice::webhook
