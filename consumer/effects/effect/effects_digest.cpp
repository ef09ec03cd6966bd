#include "consumer/effects/effect/effects_digest.hpp"

#include <algorithm>
#include <map>
#include <string>

namespace sluice::effects {
namespace {

// Lengths in front: no text can look like two others.
void append_text(std::string& out, const std::string& text) {
    out += std::to_string(text.size()) + ':' + text;
}

void append_value(std::string& out, const config::Value& value) {
    if (value.is_mapping()) {
        std::map<std::string, std::string> sorted;
        for (const auto& [key, held] : value.entries()) append_value(sorted[key.scalar()], held);
        out += '{';
        for (const auto& [key, text] : sorted) {
            append_text(out, key);
            out += text;
        }
        out += '}';
    } else if (value.is_list()) {
        out += '[';
        for (const auto& item : value.items()) append_value(out, item);
        out += ']';
    } else {
        append_text(out, value.scalar());
    }
}

void append_account(std::string& out, const std::string& name, const webhook::SourceSet& sources) {
    const auto source = std::ranges::find(sources, name, [](const auto& one) { return one->name; });
    if (source == sources.end()) return;
    append_text(out, name);
    append_text(out, (*source)->provider);
    append_text(out, (*source)->principal);
}

std::optional<config::Value> value_in(const config::Value& mapping, const std::string& wanted) {
    for (const auto& [key, value] : mapping.entries()) {
        if (key.scalar() == wanted) return value;
    }
    return std::nullopt;
}

}  // namespace

crypto::Digest digest_of(const config::Value& effects, const webhook::SourceSet& sources,
                         std::span<const std::string> code) {
    std::string text;
    append_value(text, effects);
    for (const auto& effect : effects.items()) {
        const auto when = value_in(effect, "when");
        const auto names = when ? value_in(*when, "source") : std::nullopt;
        if (!names) continue;
        for (const auto& name : names->text_or_texts()) append_account(text, name, sources);
    }
    for (const std::string& one : code) append_text(text += '#', one);
    return crypto::sha256(text);
}

}  // namespace sluice::effects
