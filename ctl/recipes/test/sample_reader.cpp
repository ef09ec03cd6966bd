#include "ctl/recipes/test/sample_reader.hpp"

#include <algorithm>

#include "common/config/nearest_key.hpp"
#include "common/config/scalar_text.hpp"
#include "common/config/whole_file.hpp"
#include "common/crypto/encoding.hpp"
#include "common/time_text.hpp"
#include "common/webhook/gate/gate_refusal.hpp"
#include "common/webhook/http/header_lookup.hpp"
#include "common/webhook/recipe/program.hpp"
#include "common/webhook/signature/signature_refusal.hpp"

namespace sluice::ctl {
namespace {

using config::Section;
using config::Value;

constexpr std::size_t longest_request = std::size_t{16} << 20;

std::vector<std::string> known_checks() {
    std::vector<std::string> names;
    for (int check = 0; check <= static_cast<int>(webhook::Check::not_bound); ++check)
        names.emplace_back(webhook::name_of(static_cast<webhook::Check>(check)));
    for (const auto& row : gate::all_refusals()) names.emplace_back(row.name);
    return names;
}

std::string content_of(const Value& path, const SampleContext& context) {
    const auto text = config::read_whole_file(context.folder / path.scalar(), longest_request);
    if (!text || text->empty())
        path.problem("the file " + (context.folder / path.scalar()).string() +
                     " cannot be read, is empty or has more than 16 MiB; its path is relative to this file");
    return text.value_or("");
}

std::optional<WallTime> sample_time(const Value& value) {
    if (const auto seconds = config::integer_from_text(value.scalar()); seconds && *seconds >= 0)
        return WallTime{std::chrono::seconds{std::min<std::int64_t>(*seconds, 253'402'300'799)}};
    const auto instant = from_rfc3339(value.scalar());
    if (!instant) value.problem("now must be unix seconds, or a time such as 2026-11-21T10:46:40Z");
    return instant;
}

void read_now(Section& section, const SampleContext& context, bool has_example, WallTime& now) {
    if (const auto value = section.value("now")) {
        if (const auto time = sample_time(*value)) now = *time;
    } else if (!has_example && context.source.program->has_timestamp()) {
        section.problem("now is missing: the recipe checks a timestamp, so give the time at which to judge");
    } else if (!has_example) {
        now = context.clock;
    }
}

void add_header(SampleRequest& request, const std::string& name, const Value& value) {
    const std::string text = value.scalar();
    if (text.find_first_of("\r\n") != std::string::npos)
        value.problem("a header's value must not have newlines: write it in quotes");
    request.headers.emplace_back(name, text);
}

/// What stands there replaces headers of that name; nothing (null) removes them.
void replace_header(SampleRequest& request, const std::string& name, const Value& value) {
    std::erase_if(request.headers, [&](const auto& one) { return webhook::is_same_name(one.first, name); });
    if (value.is_scalar()) add_header(request, name, value);
    for (const Value& one : value.items()) add_header(request, name, one);
    if (value.is_mapping()) value.problem("a header's value must be a string or a list of strings");
}

void read_headers(Section& section, SampleRequest& request) {
    const auto headers = section.value("headers");
    if (!headers) return;
    for (const auto& [name, value] : headers->entries()) replace_header(request, name.scalar(), value);
    if (headers->is_list()) request.headers.clear();
    for (const Value& pair : headers->items()) {
        const auto parts = pair.items();
        if (parts.size() == 2) add_header(request, parts[0].scalar(), parts[1]);
        if (parts.size() != 2) pair.problem("an entry of this list must be [NAME, VALUE]");
    }
    if (headers->is_scalar()) headers->problem("headers must be {NAME: VALUE}, or a list of [NAME, VALUE]");
}

void read_body(Section& section, const SampleContext& context, std::string& body) {
    const auto value = section.value("body");
    if (!value) return;
    if (value->is_scalar()) {
        body = value->scalar();
        return;
    }
    Section other = section.section("body");
    if (const auto file = other.value("file")) {
        body = content_of(*file, context);
    } else if (const auto text = other.value("base64")) {
        const auto bytes = crypto::from_base64(text->scalar());
        if (!bytes) text->problem("this is not base64 text");
        body = bytes.value_or("");
    } else {
        other.problem("body must be a string, {file: PATH} or {base64: TEXT}");
    }
}

void read_request(Section& section, const SampleContext& context, bool has_example, SampleRequest& request) {
    const bool is_new_file = section.has("request");
    if (const auto path = section.value("request")) request.raw = content_of(*path, context);
    for (const char* const part : {"method", "target", "headers", "body"}) {
        if (!section.has(part) || (request.raw.empty() && !is_new_file)) continue;
        section.problem_at(part, "the request is a file, which already contains this");
    }
    read_now(section, context, has_example, request.now);
    request.method = section.text("method", request.method);
    request.target = section.text("target", has_example ? request.target : context.source.path);
    read_headers(section, request);
    read_body(section, context, request.body);
}

std::optional<std::string> text_if_any(Section& section, std::string_view key) {
    if (!section.has(key)) return std::nullopt;
    return section.text(key, "");
}

ExpectedEvent read_event(Section& section) {
    ExpectedEvent event{.id = text_if_any(section, "id"),
                        .type = text_if_any(section, "type"),
                        .object = text_if_any(section, "object"),
                        .time = text_if_any(section, "time")};
    if (event.time && !event.time->empty() && !from_rfc3339(*event.time))
        section.problem_at("time", "time must be empty, or such as 2026-11-21T10:46:40Z");
    return event;
}

void read_check(Section& section, Expectation& expected) {
    static const std::vector<std::string> known = known_checks();
    expected.check = section.text("check", "");
    if (expected.check.empty()) return;
    if (expected.accepted) section.problem_at("check", "a sample that is accepted has no check");
    if (!std::ranges::contains(known, expected.check))
        section.problem_at("check", "there is no check " + config::in_quotes(expected.check) + "; " +
                                        config::hint(expected.check, known));
}

Expectation read_expectation(Section& section) {
    Expectation expected;
    if (!section.has("accepted")) section.problem("accepted is missing: true or false");
    expected.accepted = section.boolean("accepted", false);
    read_check(section, expected);
    expected.key = text_if_any(section, "key");
    if (section.has("events")) {
        expected.events.emplace();
        for (Section& event : section.sections("events")) expected.events->push_back(read_event(event));
    }
    if (!expected.accepted && (expected.key || expected.events))
        section.problem_at(expected.key ? "key" : "events", "nothing is read from a sample that is refused");
    return expected;
}

const Sample* example_of(Section& section, std::span<const Sample> earlier) {
    const std::string name = section.text("like", "");
    if (name.empty()) return nullptr;
    const auto found = std::ranges::find(earlier, name, &Sample::name);
    if (found != earlier.end()) return &*found;
    section.problem_at("like", "no earlier sample has the name " + config::in_quotes(name));
    return nullptr;
}

}  // namespace

Sample read_sample(Section section, const SampleContext& context, std::span<const Sample> earlier) {
    Sample sample;
    sample.place = section.place();
    sample.name = section.required_text("name");
    if (std::ranges::contains(earlier, sample.name, &Sample::name))
        section.problem_at("name", "there is already a sample with this name");
    const Sample* const example = example_of(section, earlier);
    if (example != nullptr) sample.request = example->request;
    read_request(section, context, example != nullptr, sample.request);
    sample.expected = read_expectation(section);
    return sample;
}

}  // namespace sluice::ctl
