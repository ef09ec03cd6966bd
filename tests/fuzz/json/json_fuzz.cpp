// The JSON index against simdjson's DOM. The input is a body. Promises, for any bytes:
//   - it is a document exactly when the DOM holds it, or what stands for it where the DOM cannot
//   (json_mask.hpp):
//     nothing is read that another parser refuses, nothing refused that it reads;
//   - then the tokens are the DOM's values, in its order: each value's kind, what a string or a key stands
//   for,
//     a whole number, where each container ends;
//   - what is behind the body decides nothing;
//   - nothing of the document before is left.
#include <algorithm>
#include <charconv>
#include <cstring>
#include <string>

#include "common/webhook/body/json_index.hpp"
#include "tests/fuzz/json/dom_document.hpp"
#include "tests/fuzz/json/json_mask.hpp"
#include "tests/fuzz/support/input.hpp"
#include "tests/fuzz/support/require.hpp"

namespace sluice::fuzz {
namespace {

namespace dom = simdjson::dom;
using webhook::JsonIndex;
using webhook::JsonTokens;
using webhook::TokenNumber;

/// The values of one document, from the first to the last, in both forms.
class Comparison {
public:
    Comparison(const JsonIndex& index, bool is_masked)
        : index_(index), tokens_(index.tokens()), is_masked_(is_masked) {}

    void compare(dom::element root) {
        value(root);
        require(at_ == tokens_.places.size(), "no token is left", tokens_.text);
    }

private:
    void value(dom::element value) {
        const TokenNumber first = at_;
        if (value.is_object())
            object(value.get_object().value_unsafe());
        else if (value.is_array())
            array(value.get_array().value_unsafe());
        else
            scalar(value);
        require(tokens_.after(first) == at_, "a value ends where the DOM's does", tokens_.text);
    }

    void object(dom::object members) {
        take('{');
        bool is_first = true;
        for (const auto& [key, member] : members) {
            if (!std::exchange(is_first, false)) take(',');
            string(key);
            take(':');
            value(member);
        }
        take('}');
    }

    void array(dom::array elements) {
        take('[');
        bool is_first = true;
        for (const dom::element element : elements) {
            if (!std::exchange(is_first, false)) take(',');
            value(element);
        }
        take(']');
    }

    void scalar(dom::element value) {
        if (value.is_string()) return string(value.get_string().value_unsafe());
        const std::string_view written = tokens_.scalar(at_++);
        if (value.is_bool())
            require(written == (value.get_bool().value_unsafe() ? "true" : "false"), "a bool");
        else if (value.is_null())
            require(written == "null", "a null");
        else
            number(value, written);
    }

    void number(dom::element value, std::string_view written) const {
        const bool is_whole = written.find_first_of(".eE") == written.npos;
        require(is_whole == (value.type() != dom::element_type::DOUBLE), "a fraction or an exponent",
                written);
        if (value.type() != dom::element_type::INT64) return;
        std::int64_t number = 0;
        const char* const end = written.data() + written.size();
        require(std::from_chars(written.data(), end, number).ptr == end, "it is a number", written);
        require(number == value.get_int64().value_unsafe(), "both read one number", written);
    }

    void string(std::string_view meant) {
        const std::string_view written = tokens_.scalar(at_++);
        require(written.size() > 1 && written.front() == '"' && written.back() == '"', "a string", written);
        const std::string_view text = tokens_.in_quotes(at_ - 1);
        std::string own(text.size() + JsonIndex::padding, ' ');
        const std::size_t size = index_.unescape(text.data(), own.data());
        require((size == JsonIndex::no_text) == (is_masked_ && has_half_pair(written)), "half a pair",
                written);
        if (size == JsonIndex::no_text) return;
        require(std::string_view{own}.substr(0, size) == meant, "both read one text", written);
        require(tokens_.is_escaped(text) || text == meant, "without escapes it is what is written", written);
    }

    void take(char c) { require(tokens_.first_of(at_++) == c, "the structure is the DOM's", tokens_.text); }

    const JsonIndex& index_;
    const JsonTokens& tokens_;
    const bool is_masked_;
    TokenNumber at_ = 0;
};

/// The body with rubbish behind it.
class Padded {
public:
    Padded(std::string_view body, char rubbish) : bytes_(body), size_(body.size()) {
        bytes_.append(JsonIndex::padding, rubbish);
    }
    [[nodiscard]] std::string_view body() const { return std::string_view{bytes_}.substr(0, size_); }

private:
    std::string bytes_;
    std::size_t size_;
};

void try_body(std::string_view body) {
    static JsonIndex index;
    static DomDocument reference;
    const bool is_document = reference.read(body);
    const char rubbish = body.empty() ? '"' : body.front();
    for (const char behind : {'\0', '"', '0', ']', rubbish}) {
        const Padded padded{body, behind};
        require(index.read(padded.body()) == is_document, "both read it, or neither", body);
        if (is_document) Comparison{index, reference.is_masked()}.compare(reference.root());
    }
}

}  // namespace
}  // namespace sluice::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    sluice::fuzz::try_body(sluice::fuzz::text_of(data, size));
    return 0;
}
