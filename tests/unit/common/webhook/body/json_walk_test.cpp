#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/error.hpp"
#include "common/webhook/body/json_view.hpp"
#include "tests/unit/common/webhook/body/grown_json.hpp"

namespace sluice::webhook {
namespace {

using Tokens = std::vector<std::string>;

/// What a pointer names, read off the values as they were written.
Result<const GrownValue*> named(const GrownValue& root, const Tokens& tokens) {
    const GrownValue* at = &root;
    for (const std::string& token : tokens) {
        if (at->kind == GrownValue::Kind::object) {
            const auto first = std::ranges::find(at->keys, token);
            if (first == at->keys.end()) return Failure{errc::missing_pointer};
            if (std::ranges::count(at->keys, token) > 1) return Failure{errc::duplicate_key};
            at = &at->values[static_cast<std::size_t>(first - at->keys.begin())];
            continue;
        }
        std::size_t index = 0;
        while (index < at->values.size() && std::to_string(index) != token) ++index;
        if (index == at->values.size()) return Failure{errc::missing_pointer};
        at = &at->values[index];
    }
    return at;
}

Pointer pointer_of(const Tokens& tokens) {
    std::string text;
    for (const std::string& token : tokens) {
        text += '/';
        for (const char c : token) text += c == '~' ? "~0" : c == '/' ? "~1" : std::string{c};
    }
    return Pointer::parse(text).value();
}

std::string minified(std::string_view json) {
    const auto target = std::make_unique<char[]>(json.size() + simdjson::SIMDJSON_PADDING);
    std::size_t size = 0;
    EXPECT_EQ(simdjson::minify(json.data(), json.size(), target.get(), size), simdjson::SUCCESS);
    return {target.get(), size};
}

template <class T>
std::error_code error_of(const Result<T>& result) {
    return result ? std::error_code{} : result.error();
}

std::string_view written(const JsonGrower& grown, const GrownValue& value) {
    return std::string_view{grown.document}.substr(value.begin, value.end - value.begin);
}

Result<std::string_view> text_of(const GrownValue& value) {
    if (value.kind != GrownValue::Kind::text) return Failure{errc::wrong_type};
    if (value.has_no_text) return Failure{errc::unreadable_body};
    return value.text;
}

Result<std::vector<std::string_view>> elements_of(const JsonGrower& grown, const GrownValue& value) {
    if (value.kind != GrownValue::Kind::array) return Failure{errc::wrong_type};
    std::vector<std::string_view> elements;
    for (const GrownValue& one : value.values) elements.push_back(written(grown, one));
    return elements;
}

void expect_value(const JsonView& view, const Pointer& pointer, const JsonGrower& grown,
                  const GrownValue& value) {
    EXPECT_EQ(view.written(pointer), written(grown, value));
    EXPECT_EQ(view.minified_view(pointer), minified(written(grown, value)));
    EXPECT_EQ(view.type(pointer) == JsonType::object, value.kind == GrownValue::Kind::object);
    EXPECT_EQ(view.string(pointer), text_of(value));
    EXPECT_EQ(view.elements(pointer), elements_of(grown, value));
}

void expect_answers(const JsonView& view, const JsonGrower& grown, const Pointer& pointer) {
    SCOPED_TRACE(pointer.text());
    const auto value = named(grown.root, pointer.tokens());
    if (value) return expect_value(view, pointer, grown, **value);
    EXPECT_EQ(error_of(view.type(pointer)), value.error());
    EXPECT_EQ(error_of(view.string(pointer)), value.error());
    EXPECT_EQ(error_of(view.minified_view(pointer)), value.error());
    EXPECT_EQ(error_of(view.elements(pointer)), value.error());
}

/// Ones that are asked together, and ones that are not, in any order.
void expect_all_answers(JsonGrower& grown, const JsonView& view) {
    std::vector<Pointer> pointers;
    for (std::size_t i = grown.pick(16); i > 0; --i) pointers.push_back(pointer_of(grown.tokens()));
    std::vector<Pointer*> joined;
    for (Pointer& pointer : pointers)
        if (grown.pick(4) != 0) joined.push_back(&pointer);
    ask_together(joined);
    for (std::size_t i = 2 * pointers.size(); i > 0; --i)
        expect_answers(view, grown, pointers[grown.pick(pointers.size())]);
}

TEST(JsonWalk, AnswersAsTheDocumentWasWritten) {
    JsonView view;
    for (unsigned seed = 0; seed < 4000 && !testing::Test::HasFailure(); ++seed) {
        JsonGrower grown(seed);
        grown.grow();
        SCOPED_TRACE(grown.document);
        ASSERT_TRUE(view.read(grown.document));
        for (int i = 0; i < 3; ++i) expect_all_answers(grown, view);
    }
}

/// Containers inside each other, an object and an array in turn, and the pointer to the innermost value.
struct Nest {
    explicit Nest(std::size_t depth) {
        for (std::size_t i = 0; i < depth; ++i) {
            tokens.emplace_back(i % 2 == 0 ? "a" : "0");
            text += i % 2 == 0 ? R"({"b":[ ], "a": )" : "[ ";
        }
        text += "7 ";
        for (std::size_t i = depth; i > 0; --i) text += i % 2 == 1 ? R"( ,"c" :{"a":[{}] }})" : ",[[ ]]]";
    }
    Tokens tokens;
    std::string text;
};

TEST(JsonWalk, GoesAsDeepAsADocumentMay) {
    JsonView view;
    for (const std::size_t depth : {1U, 2U, 31U, 62U}) {
        Nest nest(depth);
        ASSERT_TRUE(view.read(nest.text)) << nest.text;
        Pointer innermost = pointer_of(nest.tokens);
        nest.tokens.emplace_back("a");
        Pointer beyond = pointer_of(nest.tokens);
        EXPECT_EQ(view.integer(innermost), 7);
        EXPECT_EQ(error_of(view.type(beyond)), errc::missing_pointer);
        ask_together(std::vector{&innermost, &beyond});
        EXPECT_EQ(view.minified_view(innermost), "7");
        EXPECT_EQ(error_of(view.type(beyond)), errc::missing_pointer);
    }
}

TEST(JsonWalk, FindsNothingDeeperThanADocumentMayBe) {
    JsonView view;
    ASSERT_TRUE(view.read(R"({"a":1,"a":2})"));
    EXPECT_EQ(error_of(view.type(pointer_of(Tokens(64, "a")))), errc::duplicate_key);
    EXPECT_EQ(error_of(view.type(pointer_of(Tokens(65, "a")))), errc::missing_pointer);
}

TEST(JsonWalk, NeverAnswersForAnotherTree) {
    JsonView view;
    ASSERT_TRUE(view.read(R"({"a":1,"b":2})"));
    for (int round = 0; round < 3; ++round) {
        for (const auto& [text, number] : {std::pair{"/a", 1}, {"/b", 2}}) {
            Pointer pointer = Pointer::parse(text).value();  // where the last one was, in memory
            ask_together(std::vector{&pointer});
            EXPECT_EQ(view.integer(pointer), number);
        }
    }
    ASSERT_TRUE(view.read(R"({"b":3})"));
    EXPECT_EQ(view.integer(Pointer::parse("/b").value()), 3);
    EXPECT_FALSE(view.read("{"));
    EXPECT_EQ(error_of(view.integer(Pointer::parse("/b").value())), errc::unreadable_body);
}

}  // namespace
}  // namespace sluice::webhook
