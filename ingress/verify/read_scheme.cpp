#include <utility>

#include "ingress/verify/names.hpp"
#include "ingress/verify/program.hpp"
#include "ingress/verify/read_recipe.hpp"

namespace sluice::verify {

namespace {

using config::Section;
using config::Value;

constexpr Milliseconds least_window{1'000};
constexpr Milliseconds most_window{3'600'000};
constexpr std::size_t longest_text = 64;  // of literals, prefixes and names in a recipe

std::string header_name(Section& section, std::string_view key) {
    std::string name = section.required_text(key);
    if (!name.empty() && !is_header_name(name))
        section.problem_at(key, "a header's name has letters, digits and -");
    return name;
}

std::string short_text(Section& section, std::string_view key) {
    std::string text = section.required_text(key);
    if (text.size() > longest_text) section.problem_at(key, "at most 64 bytes");
    return text;
}

char one_character(Section& section, std::string_view key) {
    const std::string text = section.required_text(key);
    if (text.size() == 1) return text.front();
    if (!text.empty()) section.problem_at(key, "one character");
    return '\0';
}

/// A choice that a message could make is no choice of ours.
void read_algorithm(Section& section) {
    const auto value = section.value("algorithm");
    if (value && !value->is_scalar()) {
        value->problem("the algorithm is fixed by the recipe, never taken from the message");
        return;
    }
    static_cast<void>(required_choice(section, "algorithm", {"hmac-sha256"}));
}

void read_pairs(Section section, SignatureRule& rule) {
    rule.container = Container::pairs;
    rule.separator = one_character(section, "sep");
    rule.assign = one_character(section, "kv");
    rule.pair = short_text(section, "key");
    if (rule.separator == rule.assign) section.problem("sep and kv are the same character");
}

void read_container(Section& section, SignatureRule& rule) {
    const auto value = section.value("container");
    if (!value)
        return section.problem("container is missing: raw, {prefix: TEXT} or {pairs: {sep, kv, key}}");
    if (value->is_scalar()) {
        if (value->scalar() != "raw") value->problem("raw, {prefix: TEXT} or {pairs: {sep, kv, key}}");
        return;
    }
    Section container(*value, section.path() + ".container");
    const bool has_prefix = container.has("prefix");
    if (has_prefix == container.has("pairs")) return container.problem("either prefix or pairs");
    if (!has_prefix) return read_pairs(container.section("pairs"), rule);
    rule.container = Container::prefix;
    rule.prefix = short_text(container, "prefix");
}

Encoding read_encoding(Section& section) {
    const std::string text = required_choice(section, "encoding", {"hex", "hex-any-case", "base64"});
    if (text == "base64") return Encoding::base64;
    return text == "hex-any-case" ? Encoding::hex_any_case : Encoding::hex;
}

void read_signature(Section section, SignatureRule& rule) {
    rule.header = header_name(section, "header");
    rule.longest = static_cast<std::size_t>(section.size("longest", 1024, 16, 8192));
    read_container(section, rule);
    rule.encoding = read_encoding(section);
    const auto most = static_cast<std::int64_t>(rule.container == Container::pairs ? most_candidates : 1);
    rule.most = static_cast<std::size_t>(section.integer("most", most, 1, most));
}

std::chrono::seconds whole_seconds(Section& section, std::string_view key) {
    const Milliseconds length = section.duration(key, Milliseconds{0}, least_window, most_window);
    const auto seconds = std::chrono::floor<std::chrono::seconds>(length);
    if (seconds != length) section.problem_at(key, "whole seconds");
    return seconds;
}

/// A window with one end open lets old or future requests in for ever.
void read_window(Section& section, TimestampRule& rule) {
    if (!section.has("window")) {
        return section.problem("window is missing: {past: 300s, future: 300s}, both ends");
    }
    Section window = section.section("window");
    for (const std::string_view end : {"past", "future"}) {
        if (!window.has(end)) window.problem("the window has no bound for \"" + std::string(end) + "\"");
    }
    rule.past = whole_seconds(window, "past");
    rule.future = whole_seconds(window, "future");
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
    if (is_pair == timestamp.has("header")) return timestamp.problem("either pair or header");
    rule.in = is_pair ? TimestampRule::In::pair : TimestampRule::In::header;
    rule.name = is_pair ? short_text(timestamp, "pair") : header_name(timestamp, "header");
    static_cast<void>(required_choice(timestamp, "unit", {"s"}));
    read_window(timestamp, rule);
}

SignedPart named_part(const Value& value, const std::string& path) {
    SignedPart part;
    part.place = value.place();
    Section section(value, path);
    if (section.has("literal")) {
        part.text = short_text(section, "literal");
    } else if (section.has("header")) {
        part.kind = SignedPart::Kind::header;
        part.text = header_name(section, "header");
    } else if (section.has("pair")) {
        part.kind = SignedPart::Kind::pair;
        part.text = short_text(section, "pair");
    } else {
        section.problem("body, timestamp, {literal: TEXT}, {header: NAME} or {pair: NAME}");
    }
    return part;
}

SignedPart read_part(const Value& value, const std::string& path) {
    if (!value.is_scalar()) return named_part(value, path);
    const std::string text = value.scalar();
    const bool is_body = text == "body";
    if (!is_body && text != "timestamp") {
        value.problem("body, timestamp, {literal: TEXT}, {header: NAME} or {pair: NAME}");
    }
    return {is_body ? SignedPart::Kind::body : SignedPart::Kind::timestamp, "", value.place()};
}

void read_signed(Section& section, std::vector<SignedPart>& parts) {
    const auto value = section.value("signed");
    const auto items = value ? value->items() : std::vector<Value>{};
    if (items.empty())
        return section.problem_at("signed", "signed lists nothing: the signature would cover nothing");
    if (items.size() > most_segments) return value->problem("at most 16 parts");
    for (const Value& item : items) parts.push_back(read_part(item, section.path() + ".signed"));
}

void read_keys(Section section, KeyRule& rule) {
    const std::string form = required_choice(section, "form", {"text", "base64"});
    rule.form = form == "base64" ? KeyRule::Form::base64 : KeyRule::Form::text;
    rule.strip = section.text("strip", "");
    rule.begins = section.text("begins", "");
}

}  // namespace

void read_scheme(Section& section, Recipe& recipe) {
    read_algorithm(section);
    read_signature(section.section("signature"), recipe.signature);
    read_timestamp(section, recipe.timestamp);
    read_signed(section, recipe.signed_parts);
    read_keys(section.section("keys"), recipe.keys);
}

}  // namespace sluice::verify
