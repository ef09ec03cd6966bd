#include <algorithm>

#include "common/webhook/recipe_file/read_recipe.hpp"

namespace sluice::webhook {

namespace {

using config::Section;

constexpr std::size_t longest_body = 4096;
constexpr std::size_t longest_content_type = 128;

bool is_field_text(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return c >= 0x20 && c < 0x7f; });
}

/// `default` is the status when the recipe says none; another one has the same first digit.
Answer read_answer(Section answer, int fallback) {
    const int least = fallback / 100 * 100;
    Answer result;
    result.status = static_cast<int>(answer.integer("status", fallback, least, least + 99));
    result.content_type = answer.text("type", "");
    result.body = answer.text("body", "");
    if (result.content_type.size() > longest_content_type || !is_field_text(result.content_type)) {
        answer.problem_at("type", "type must be a media type, such as application/json");
    }
    if (result.body.size() > longest_body) answer.problem_at("body", "body must have at most 4 KiB");
    if (result.body.empty() != result.content_type.empty())
        answer.problem("type and body must both be given, or neither");
    if (result.status == 204 && !result.body.empty())
        answer.problem_at("body", "an answer with status 204 cannot have a body");
    return result;
}

}  // namespace

void read_answers(Section& section, Recipe& recipe) {
    Section answers = section.section("answers");
    recipe.answers.success = read_answer(answers.section("success"), 200);
    recipe.answers.bad_signature = read_answer(answers.section("bad_signature"), 400);
    recipe.answers.too_large = read_answer(answers.section("too_large"), 413);
    recipe.answers.overloaded = read_answer(answers.section("overloaded"), 503);
    recipe.answer_within =
        section.duration("answer_within", recipe.answer_within, Milliseconds{100}, Milliseconds{30'000});
}

}  // namespace sluice::webhook
