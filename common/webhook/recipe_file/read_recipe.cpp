#include "common/webhook/recipe_file/read_recipe.hpp"

#include <algorithm>

#include "common/webhook/recipe_file/names.hpp"
#include "common/webhook/recipe_file/recipe_safety.hpp"

namespace sluice::webhook {

namespace {

constexpr std::size_t longest_body = 4096;
constexpr std::size_t longest_content_type = 128;

bool is_field_text(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return c >= 0x20 && c < 0x7f; });
}

/// `fallback` is the status when the recipe says none.
Answer read_answer(config::Section answer, int fallback, int least, int most) {
    Answer result;
    result.status = static_cast<int>(answer.integer("status", fallback, least, most));
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

/// Another status than the usual one has the same first digit.
Answer read_answer(config::Section answer, int fallback) {
    const int least = fallback / 100 * 100;
    return read_answer(std::move(answer), fallback, least, least + 99);
}

/// 429, or what a provider takes for a failure that passes.
void read_limited(config::Section& answers, AnswerTable& table) {
    const auto value = answers.value("limited");
    table.can_be_limited = !value || !value->is_scalar() || value->scalar() != "none";
    table.limited =
        table.can_be_limited ? read_answer(answers.section("limited"), 429, 429, 599) : table.overloaded;
    if (table.limited.status > 429 && table.limited.status < 500)
        answers.problem_at("limited",
                           "answers.limited must have the status 429 or one from 500 to 599, or be none");
}

/// After an hour at least: what disables sooner has done so before anybody could come.
void read_disabled_after(config::Section& answers, AnswerTable& table) {
    constexpr std::chrono::hours least{1};
    constexpr std::chrono::days most{90};
    if (!answers.has("disabled_after")) return;
    table.disabled_after = std::chrono::duration_cast<std::chrono::seconds>(
        answers.duration("disabled_after", most, least, most));
}

void read_name(config::Section& section, Recipe& recipe) {
    recipe.name = section.required_text("name");
    if (!recipe.name.empty() && !is_name(recipe.name)) {
        section.problem_at("name", "a recipe's name must have 1 to 63 characters of a-z, 0-9 and -");
    }
    recipe.provider = section.text("provider", recipe.name);
    if (!recipe.provider.empty() && !is_name(recipe.provider)) {
        section.problem_at("provider", "a provider's name must have 1 to 63 characters of a-z, 0-9 and -");
    }
}

void read_answers(config::Section& section, Recipe& recipe) {
    config::Section answers = section.section("answers");
    recipe.answers.success = read_answer(answers.section("success"), 200);
    recipe.answers.bad_signature = read_answer(answers.section("bad_signature"), 400);
    recipe.answers.too_large = read_answer(answers.section("too_large"), 413);
    recipe.answers.overloaded = read_answer(answers.section("overloaded"), 503);
    read_limited(answers, recipe.answers);
    read_disabled_after(answers, recipe.answers);
    recipe.answer_within =
        section.duration("answer_within", recipe.answer_within, Milliseconds{100}, Milliseconds{30'000});
}

}  // namespace

std::string required_choice(config::Section& section, std::string_view key,
                            std::initializer_list<std::string_view> allowed) {
    std::string text = section.required_text(key);
    if (text.empty() || std::ranges::contains(allowed, std::string_view(text))) return text;
    std::string sentence = "\"" + text + "\" is not supported for " + std::string(key) + ":";
    for (const std::string_view one : allowed) sentence += " " + std::string(one);
    section.problem_at(key, sentence);
    return std::string(*allowed.begin());
}

std::optional<Recipe> read_recipe(const config::Value& value, const std::string& path) {
    const config::Problems& problems = value.problems();
    const std::size_t before = problems.count();
    Recipe recipe;
    recipe.place = value.place();
    {
        config::Section section(value, path);
        read_name(section, recipe);
        read_scheme(section, recipe);
        read_body(section, recipe.body);
        read_extraction(section, recipe);
        read_payment(section, recipe);
        read_answers(section, recipe);
    }  // reports unknown keys
    if (problems.count() != before) return std::nullopt;
    check_safety(recipe, value.problems());
    if (problems.count() != before) return std::nullopt;
    return recipe;
}

}  // namespace sluice::webhook
