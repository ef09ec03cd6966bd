#include "tests/fuzz/recipe/recipe_input.hpp"

#include <cctype>
#include <cstdlib>

#include "common/webhook/recipe/program.hpp"
#include "tests/fuzz/support/input.hpp"
#include "tests/fuzz/support/require.hpp"

namespace sluice::fuzz {

Input input_of(std::string_view text) {
    Input input;
    const std::size_t mark = text.find("\n---\n");
    input.recipes = text.substr(0, mark);
    const std::string_view request = mark == text.npos ? std::string_view{} : text.substr(mark + 5);
    const std::size_t empty_line = request.find("\n\n");
    for (const std::string_view line : parts_of(request.substr(0, empty_line), '\n'))
        if (const std::size_t colon = line.find(": "); colon != line.npos)
            input.letter.headers.emplace_back(line.substr(0, colon), line.substr(colon + 2));
    if (empty_line != request.npos) input.letter.body = request.substr(empty_line + 2);
    return input;
}

webhook::SourceSet sources_of(const std::string& recipes) {
    ::setenv("SLUICE_FUZZ_KEY", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", 1);
    config::Problems problems;
    try {
        const auto document =
            config::Document::from_text(recipes +
                                            "\nsources: [{name: eu, principal: eu, recipe: mine, keys: [{id: "
                                            "a, value: {env: SLUICE_FUZZ_KEY}}]}]\n",
                                        "fuzz.yaml", problems);
        auto sources = webhook::read_sources(document, problems);
        require(problems.any() || sources.size() == 1, "an accepted recipe makes a source");
        if (problems.any()) sources.clear();
        return sources;
    } catch (const config::Refused&) {
        return {};
    }
}

bool is_plain(const webhook::Program& program) {
    const auto apart = [](std::string_view text) {
        return text.find_first_not_of("msg_0123456789abcdef") != text.npos;
    };
    const webhook::SignatureRule& rule = program.signature;
    for (const auto& reading : program.readings)
        for (const webhook::Segment& segment : reading)
            if (!segment.excluded.empty() && !apart(segment.excluded)) return false;
    const bool has_labels = rule.container == webhook::Container::labelled;
    if (rule.container != webhook::Container::pairs && !has_labels) return true;
    for (const char c : {rule.separator, rule.assign})
        if (std::isalnum(static_cast<unsigned char>(c)) != 0 || std::string_view{"_+/="}.contains(c)) {
            if (c != '=' || c != rule.assign) return false;
        }
    std::string names = has_labels ? program.keys.front().label : rule.pair;
    for (std::size_t i = program.first_pair; i < program.inputs.size(); ++i)
        names += program.inputs[i].names.front();
    return !names.contains(rule.separator) && !names.contains(rule.assign);
}

}  // namespace sluice::fuzz
