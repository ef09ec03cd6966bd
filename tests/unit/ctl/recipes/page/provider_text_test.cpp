#include "ctl/recipes/page/provider_text.hpp"

#include <gtest/gtest.h>

namespace sluice::ctl {
namespace {

const std::string whole =
    "# Acme\n\nhttps://acme.example/docs\n\n"
    "## At the provider\n\nAsk.\n\n## Under sources\n\n```yaml\n- name: acme\n```\n\n"
    "## Not signed\n\nHeaders.\n\n## Retries\n\nNone.\n\n## Duplicates and order\n\nThe id.\n\n"
    "## Traps\n\n- One.\n- Two.\n";

std::string without(const std::string& part) {
    std::string text = whole;
    return text.replace(text.find(part), part.size(), "");
}

std::string error_of(const std::string& text) {
    const auto parsed = parse_provider_text(text);
    return parsed ? "none" : parsed.error();
}

}  // namespace

TEST(ProviderText, IsTakenApart) {
    const auto text = parse_provider_text(whole);
    ASSERT_TRUE(text) << text.error();
    EXPECT_EQ(text->title, "Acme");
    EXPECT_EQ(text->address, "https://acme.example/docs");
    EXPECT_EQ(text->set_up, "Ask.");
    EXPECT_EQ(text->source, "```yaml\n- name: acme\n```");
    EXPECT_EQ(text->traps, "- One.\n- Two.");
}

TEST(ProviderText, SaysWhatIsMissing) {
    EXPECT_EQ(error_of(without("# Acme\n")), "the first line must be a title, # NAME");
    EXPECT_TRUE(error_of(without("https://acme.example/docs")).contains("address"));
    EXPECT_EQ(error_of(without("## Retries\n\nNone.\n\n")), "there is nothing under Retries");
    EXPECT_EQ(error_of(without("None.")), "there is nothing under Retries");
    EXPECT_EQ(error_of(whole + "\n## More\n\nText.\n"), "no page has a section More");
    EXPECT_NE(error_of(""), "none");
}

}  // namespace sluice::ctl
