// The configuration, as YAML. Promises, for any text:
//   - nothing escapes but config::Refused, and reading twice says the same;
//   - every problem names the file and a line of it, or is one that an empty file has too (something is
//     missing); a line put in front moves all of them by one;
//   - what is accepted is closed: one more key in any mapping, or a key given twice anywhere, is
//     refused.
#include <charconv>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/config/section.hpp"
#include "common/config/settings/connections.hpp"
#include "common/config/settings/log_settings.hpp"
#include "common/config/settings/tracing_settings.hpp"
#include "common/webhook/recipe/source.hpp"
#include "tests/fuzz/config/closed.hpp"
#include "tests/fuzz/support/input.hpp"
#include "tests/fuzz/support/require.hpp"

namespace sluice::fuzz {
namespace {

const std::string file = "fuzz.yaml";

/// Everything that the programs read but effects: the errors.
std::vector<std::string> errors_of(const std::string& text) {
    config::Problems problems;
    try {
        const auto document = config::Document::from_text(text, file, problems);
        static_cast<void>(config::read_listen(document, problems));
        static_cast<void>(config::read_operations(document, config::OperationsOf::ingress));
        static_cast<void>(config::read_kafka(document, problems));
        static_cast<void>(config::read_redis(document, problems));
        static_cast<void>(config::read_mysql(document, problems));
        static_cast<void>(config::read_inbox(document, problems));
        static_cast<void>(config::read_log(document));
        static_cast<void>(config::read_tracing(document, problems));
        static_cast<void>(webhook::read_sources_without_keys(document, problems));
    } catch (const config::Refused& refused) {
        return {refused.what()};
    }
    return problems.errors();
}

/// What may be said of a file as a whole.
bool is_of_the_whole(const std::string& error) {
    static const std::set<std::string> missing = [] {
        const auto errors = errors_of("{}");
        return std::set<std::string>{errors.begin(), errors.end()};
    }();
    return missing.contains(error) || error.contains("must be a YAML mapping") ||
           error == file + ": and further problems that are not listed";
}

/// The line that an error names; nothing for one of the file as a whole.
std::optional<int> line_of(const std::string& error) {
    if (is_of_the_whole(error)) return std::nullopt;
    require(error.starts_with(file + ":"), "an error names the file and a line", error);
    int line = 0;
    const char* const begin = error.data() + file.size() + 1;
    const auto [end, wrong] = std::from_chars(begin, error.data() + error.size(), line);
    require(wrong == std::errc{} && end != error.data() + error.size() && *end == ':',
            "an error names a line", error);
    return line;
}

std::vector<int> lines_of(const std::vector<std::string>& errors) {
    std::vector<int> lines;
    for (const std::string& error : errors)
        if (const auto line = line_of(error)) lines.push_back(*line);
    return lines;
}

void lines_are_right(const std::string& text, const std::vector<std::string>& errors) {
    const auto count =
        static_cast<int>(std::ranges::count_if(text, [](char c) { return c == '\n' || c == '\r'; }));
    const std::vector<int> lines = lines_of(errors);
    for (const int line : lines)
        require(line >= 1 && line <= count + 2, "a line is one of the file's", std::to_string(line));
    // Directives and byte order marks must stay first, and zero bytes make yaml-cpp guess UTF-16 or UTF-32.
    const bool may_move =
        !text.empty() && !text.contains('\0') &&
        (std::isalnum(static_cast<unsigned char>(text.front())) != 0 || text.front() == '{');
    if (!may_move) return;
    const std::vector<int> moved = lines_of(errors_of("# one more\n" + text));
    require(std::ranges::equal(moved, lines, {}, [](int line) { return line - 1; }),
            "a line in front moves all others");
}

void try_text(const std::string& text) {
    const auto errors = errors_of(text);
    require(errors_of(text) == errors, "reading twice says the same");
    lines_are_right(text, errors);
    if (!errors.empty()) return;
    require(!has_twins(text), "what is accepted gives no key twice", text);
    for (const std::string& opened : with_one_more_key(text))
        require(!errors_of(opened).empty(), "what is accepted is closed", opened);
}

}  // namespace
}  // namespace sluice::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    sluice::fuzz::try_text(std::string{sluice::fuzz::text_of(data, size)});
    return 0;
}
