#include "ctl/recipes/page/provider_page.hpp"

#include <algorithm>
#include <format>
#include <stdexcept>

#include "ctl/cli/embedded.hpp"
#include "ctl/recipes/page/recipe_facts.hpp"
#include "ctl/recipes/recipe_text.hpp"

namespace sluice::ctl {
namespace {

using webhook::Recipe;

/// A table cell, with its own bars escaped.
std::string cell(const std::string& text) {
    std::string escaped;
    for (const char c : text) escaped += c == '|' ? std::string{"\\|"} : std::string{c};
    return escaped;
}

std::string table_of(const std::string& left, const std::string& right, const RecipeFacts& facts) {
    std::string table = "| " + left + " | " + right + " |\n| --- | --- |\n";
    for (const auto& [name, text] : facts) table += "| " + name + " | " + cell(text) + " |\n";
    return table;
}

std::string head_of(const Recipe& recipe, const ProviderText* text) {
    if (text == nullptr) return "# " + recipe.name + "\n";
    return "# " + text->title + "\n\nRecipe [`" + recipe.name + "`](../../common/webhook/recipes/" +
           recipe.name + ".yaml) · [the provider's own documentation](" + text->address +
           ") · [all providers](README.md)\n\n<!-- Made by `sluicectl recipes page`; what is written by hand "
           "is in text/" +
           recipe.name + ".md -->\n";
}

/// Headings, what the recipe says under them, and what was written by hand.
class Page {
public:
    Page(const Recipe& recipe, const ProviderText* text) : text_{text}, page_{head_of(recipe, text)} {}

    void said(const std::string& heading, const std::string& facts) {
        page_ += "\n## " + heading + "\n\n" + facts;
    }
    void written(const std::string& heading, std::string ProviderText::* part) {
        if (text_ != nullptr) page_ += "\n" + heading + "\n\n" + text_->*part + "\n";
    }
    [[nodiscard]] std::string take() { return std::move(page_); }

private:
    const ProviderText* text_;
    std::string page_;
};

std::string within(const Recipe& recipe) {
    return std::format("\nsluice answers within {} ms.\n", recipe.answer_within.count());
}

std::string linked(const Recipe& recipe, const std::string& title) {
    return "[" + title + "](" + recipe.name + ".md)";
}

}  // namespace

std::optional<ProviderText> text_of_recipe(std::string_view recipe) {
    const auto texts = provider_texts();
    const auto found = std::ranges::find(texts, recipe, &EmbeddedFile::name);
    if (found == texts.end()) return std::nullopt;
    auto text = parse_provider_text(found->content);
    if (!text) throw std::logic_error{"text/" + std::string{recipe} + ".md: " + text.error()};
    return std::move(*text);
}

std::string provider_page(const Recipe& recipe, const ProviderText* text) {
    Page page{recipe, text};
    page.written("## At the provider", &ProviderText::set_up);
    page.written("## Under `sources:`", &ProviderText::source);
    page.said("What is signed", table_of("", "", signature_facts(recipe)));
    page.written("### What is not", &ProviderText::not_signed);
    page.said("Answers", table_of("a delivery that is", "answer", answer_facts(recipe)) + within(recipe));
    page.written("### Retries", &ProviderText::retries);
    page.said("Duplicates and order", table_of("", "", event_facts(recipe)));
    page.written("### What they rest on", &ProviderText::duplicates);
    page.written("## Traps", &ProviderText::traps);
    return page.take();
}

std::string provider_index(std::span<const Recipe> recipes) {
    std::string page =
        "# Providers\n\nOne page for each built-in recipe: what to set up, what to write under `sources:`, "
        "what "
        "is signed and answered, what\nduplicates and order rest on. Made by `sluicectl recipes page`; "
        "[recipes.md](../recipes.md) says how, and how to write a recipe.\n\n"
        "| provider | recipe | signed with | timestamp | events | trust |\n"
        "| --- | --- | --- | --- | --- | --- |\n";
    for (const Recipe& recipe : recipes) {
        const auto text = text_of_recipe(recipe.name);
        const bool has_time = recipe.timestamp.in != webhook::TimestampRule::In::none;
        page += std::format("| {} | `{}` | {} | {} | {} | {} |\n",
                            linked(recipe, text ? text->title : recipe.name), recipe.name,
                            algorithms_of(recipe), has_time ? "yes" : "none",
                            recipe.extraction.items ? "several" : "one", webhook::name_of(recipe.trust));
    }
    return page;
}

}  // namespace sluice::ctl
