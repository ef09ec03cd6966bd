#include "ctl/entry/body_opener.hpp"

#include <algorithm>

#include "common/webhook/extract/decode.hpp"

namespace sluice::ctl {
namespace {

/// Of a body whose recipe is not known here.
bool looks_sealed(const std::string& body) {
    return body.contains("\"ciphertext\"");
}

}  // namespace

BodyOpener::BodyOpener(const config::Document& document)
    : sources_{webhook::read_sources_without_keys(document, problems_)} {}

BodyOpener::Opened BodyOpener::open(const std::string& body, const std::string& source,
                                    const std::string& object_key) const {
    const webhook::Source* its = source_of(source, object_key);
    if (its == nullptr) return {.sealed_because = looks_sealed(body) ? why_without(source) : ""};
    auto opened = webhook::opened_body(*its, body);
    if (opened) return {.body = std::move(*opened)};
    return {.sealed_because = "the key of source " + its->name + " does not open it, or it is no such body"};
}

void BodyOpener::open(DeadLetterDetails& details) const {
    const store::DeadLetterRow& entry = details.dead_letter;
    if (!details.body || entry.kind == store::DeadLetterKind::unreadable) return;
    auto opened = open(*details.body, entry.source, entry.object_key);
    details.opened = std::move(opened.body);
    details.sealed_because = std::move(opened.sealed_because);
}

/// By its name; a source may have another by now, and is then of the object's provider and principal.
const webhook::Source* BodyOpener::source_of(const std::string& name, const std::string& object_key) const {
    const auto is_named = [&](const auto& source) { return source->name == name; };
    const auto is_of_object = [&](const auto& source) {
        return object_key.starts_with(source->provider + '/' + source->principal + '/');
    };
    auto found = std::ranges::find_if(sources_, is_named);
    if (found == sources_.end()) found = std::ranges::find_if(sources_, is_of_object);
    return found == sources_.end() ? nullptr : found->get();
}

std::string BodyOpener::why_without(const std::string& source) const {
    const std::string why = "this configuration cannot use source " + source;
    return problems_.any() ? why + ": " + problems_.errors().front() : why + ": it has none of this name";
}

}  // namespace sluice::ctl
