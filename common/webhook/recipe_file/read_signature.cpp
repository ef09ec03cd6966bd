#include "common/webhook/recipe/program.hpp"
#include "common/webhook/recipe_file/read_input.hpp"
#include "common/webhook/recipe_file/read_recipe.hpp"

namespace sluice::webhook {

namespace {

using config::Section;

constexpr Milliseconds least_window{1'000};
constexpr Milliseconds most_window{3'600'000};
constexpr std::string_view containers =
    "raw, {prefix: TEXT}, {pairs: {sep, kv, key}} or {labelled: {sep, mark, label}}";

char one_character(Section& section, std::string_view key) {
    const std::string text = section.required_text(key);
    if (text.size() == 1) return text.front();
    if (!text.empty()) section.problem_at(key, std::string{key} + " must be one character");
    return '\0';
}

void read_pairs(Section section, SignatureRule& rule) {
    rule.container = Container::pairs;
    rule.separator = one_character(section, "sep");
    rule.assign = one_character(section, "kv");
    rule.pair = short_text(section, "key");
    rule.trims = section.boolean("trim", false);
    if (rule.separator == rule.assign) section.problem("sep and kv must be different characters");
}

void read_labelled(Section section, SignatureRule& rule) {
    rule.container = Container::labelled;
    rule.separator = one_character(section, "sep");
    rule.assign = one_character(section, "mark");
    const bool is_key = required_choice(section, "label", {"version", "key-id"}) == "key-id";
    rule.label = is_key ? Label::key_id : Label::version;
    if (rule.separator == rule.assign) section.problem("sep and mark must be different characters");
}

void read_container(Section& section, SignatureRule& rule) {
    const auto value = section.value("container");
    if (!value) return section.problem("container is missing: " + std::string(containers));
    if (value->is_scalar()) {
        if (value->scalar() != "raw") value->problem(std::string(containers));
        return;
    }
    Section container(*value, section.path() + ".container");
    const int given = container.has("prefix") + container.has("pairs") + container.has("labelled");
    if (given != 1) return container.problem("container must have one of prefix, pairs and labelled");
    if (container.has("pairs")) return read_pairs(container.section("pairs"), rule);
    if (container.has("labelled")) return read_labelled(container.section("labelled"), rule);
    rule.container = Container::prefix;
    rule.prefix = short_text(container, "prefix");
    rule.prefix_may_lack = container.boolean("optional", false);
}

Encoding read_encoding(Section& section) {
    const std::string text = required_choice(section, "encoding", {"hex", "hex-any-case", "base64", "text"});
    if (text == "base64") return Encoding::base64;
    if (text == "text") return Encoding::text;
    return text == "hex-any-case" ? Encoding::hex_any_case : Encoding::hex;
}

std::chrono::seconds whole_seconds(Section& section, std::string_view key) {
    const Milliseconds length = section.duration(key, Milliseconds{0}, least_window, most_window);
    const auto seconds = std::chrono::floor<std::chrono::seconds>(length);
    if (seconds != length) section.problem_at(key, std::string{key} + " must be whole seconds");
    return seconds;
}

/// A window with one end open lets old or future requests in forever; `none` says that the provider sets no
/// limit.
std::optional<TimeWindow> read_window(Section& section) {
    const auto value = section.value("window");
    if (!value) {
        section.problem("window is missing: both ends, such as {past: 300s, future: 300s}, or none");
        return std::nullopt;
    }
    if (value->is_scalar() && value->scalar() == "none") return std::nullopt;
    Section window = section.section("window");
    for (const std::string_view end : {"past", "future"}) {
        if (!window.has(end)) window.problem("the window has no bound for \"" + std::string(end) + "\"");
    }
    TimeWindow ends{whole_seconds(window, "past"), whole_seconds(window, "future")};
    ends.ends_are_inside = window.one_of("ends", {"inside", "outside"}, "inside") == "inside";
    return ends;
}

TimeUnit read_unit(Section& section) {
    const std::string unit = required_choice(section, "unit", {"s", "ms", "either"});
    if (unit == "either") return TimeUnit::either;
    return unit == "ms" ? TimeUnit::milliseconds : TimeUnit::seconds;
}

}  // namespace

void read_signature(Section section, SignatureRule& rule) {
    const bool is_field = section.has("form");
    if (is_field && section.has("header")) section.problem("give either header or form");
    if (section.has("item")) {
        rule.input = read_input(section);
    } else {
        rule.input = is_field ? read_field(section) : read_headers(section, "header");
    }
    rule.longest = static_cast<std::size_t>(section.size("longest", 1024, 16, 8192));
    read_container(section, rule);
    rule.encoding = read_encoding(section);
    rule.probe = section.text("probe", "");
    const bool has_many = rule.container == Container::pairs || rule.container == Container::labelled;
    const auto most = static_cast<std::int64_t>(has_many ? most_candidates : 1);
    rule.most = static_cast<std::size_t>(section.integer("most", most, 1, most));
}

void read_timestamp(Section& section, TimestampRule& rule) {
    const auto value = section.value("timestamp");
    if (!value) return section.problem("timestamp is missing: {pair: NAME, …}, {header: NAME, …} or none");
    if (value->is_scalar()) {
        if (value->scalar() != "none") value->problem("{pair: NAME, …}, {header: NAME, …} or none");
        return;
    }
    Section timestamp(*value, section.path() + ".timestamp");
    const bool is_pair = timestamp.has("pair");
    if (is_pair == timestamp.has("header")) return timestamp.problem("give either pair or header");
    rule.in = is_pair ? TimestampRule::In::pair : TimestampRule::In::header;
    rule.input = is_pair ? Input{Input::From::pair, {short_text(timestamp, "pair")}}
                         : read_headers(timestamp, "header");
    rule.unit = read_unit(timestamp);
    rule.window = read_window(timestamp);
}

}  // namespace sluice::webhook
