#include "common/webhook/source_file/key_derivation.hpp"

#include <algorithm>
#include <string_view>

#include "common/telemetry/log.hpp"
#include "common/webhook/http/header_lookup.hpp"
#include "common/webhook/recipe/program.hpp"

namespace sluice::webhook {
namespace {

constexpr std::string_view between_alternatives = " | ";

std::string as_quoted(std::string_view text) {
    return '"' + json_escaped(text, text.size()) + '"';
}

std::string as_header(std::string name) {
    std::ranges::transform(name, name.begin(), lower_case);
    return as_quoted(name);
}

template <class Range, class Wording>
std::string in_words(const Range& range, std::string_view between, Wording wording) {
    std::string text;
    for (const auto& one : range) {
        if (!text.empty()) text += between;
        text += wording(one);
    }
    return text.empty() ? "none" : text;
}

std::string cut_wording(Fact::Cut cut) {
    if (cut == Fact::Cut::plural) return " plural";
    return cut == Fact::Cut::first_word ? " first-word" : "";
}

std::string place_wording(const Fact& fact) {
    switch (fact.from) {
        case Fact::From::pointer:
            return as_quoted(fact.pointer.text());
        case Fact::From::header:
            return "header " + as_header(fact.name);
        case Fact::From::query:
            return "query " + as_quoted(fact.name);
        case Fact::From::digest:
            return "sha256 " + as_quoted(fact.pointer.text());
        case Fact::From::body_digest:
            return "sha256 body";
        case Fact::From::field_digest:
            return "sha256 field " + as_quoted(fact.name);
        case Fact::From::literal:
            return "text " + as_quoted(fact.name);
        case Fact::From::templated:
            return "template " + as_quoted(fact.name) + ' ' + as_quoted(fact.pointer.text()) + ' ' +
                   as_quoted(fact.behind) + cut_wording(fact.cut);
    }
    return {};
}

std::string fact_wording(const Fact& fact) {
    return place_wording(fact) + (fact.integer ? " integer" : "") + (fact.optional ? " optional" : "");
}

std::string joined_wording(const Joined& facts) {
    return in_words(facts, " + ", fact_wording);
}

std::string time_wording(const TimeField& field) {
    return fact_wording(field.at) + (field.as_unix ? " unix" : "") + (field.as_unix_ms ? " unix_ms" : "") +
           (field.as_rfc3339 ? " rfc3339" : "") + (field.as_compact ? " compact" : "") +
           (field.zone.empty() ? "" : " zone " + as_quoted(field.zone));
}

std::string mode_wording(const Extraction& extraction) {
    std::string fallback = extraction.livemode_if_absent ? "live" : "test";
    if (!extraction.livemode) return fallback;
    return as_quoted(extraction.livemode->text()) +
           (extraction.live_text.empty() ? "" : " is " + as_quoted(extraction.live_text)) +
           (extraction.means_test ? " means test" : "") + " else " + fallback +
           (extraction.livemode_is_of_delivery ? " of delivery" : "");
}

std::string events_wording(const Extraction& extraction) {
    if (!extraction.items) return "one";
    const ItemsRule& items = *extraction.items;
    return as_quoted(items.at.text()) + (items.inside ? " inside " + as_quoted(items.inside->text()) : "");
}

}  // namespace

std::string key_derivation(const Extraction& extraction) {
    const auto order = [](const ObjectField& field) { return joined_wording(field.value); };
    return "id: " + in_words(extraction.id, between_alternatives, joined_wording) +
           "\nevents: " + events_wording(extraction) + "\nmode: " + mode_wording(extraction) +
           "\norder: " + in_words(extraction.order_by, between_alternatives, order) +
           "\nday: " + in_words(extraction.day, between_alternatives, time_wording);
}

std::string keys_stamp(const Extraction& extraction) {
    std::string stamp;
    Extraction shorter = extraction;
    shorter.id.clear();
    for (const Joined& alternative : extraction.id) {
        shorter.id.push_back(alternative);
        stamp += record::keys_digest(key_derivation(shorter));
    }
    return stamp;
}

std::vector<record::SourceKeys> keys_of(const SourceSet& sources) {
    std::vector<record::SourceKeys> keys;
    for (const auto& source : sources)
        keys.push_back(
            {source->path, source->provider, source->principal, key_derivation(source->program->extraction)});
    return keys;
}

}  // namespace sluice::webhook
