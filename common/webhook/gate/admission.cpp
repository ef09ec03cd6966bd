#include "common/webhook/gate/admission.hpp"

#include <algorithm>

#include "common/webhook/gate/grammar.hpp"
#include "common/webhook/http/header_lookup.hpp"
#include "common/webhook/recipe/program.hpp"

namespace sluice::gate {
namespace {

/// Whether a proxy could mistake one of the fields for one that the source's signature depends on.
bool has_look_alike(const Head& head, const webhook::Source& source) {
    if (!head.has_underscore) return false;
    return std::ranges::any_of(head.fields(), [&](const webhook::HeaderField& field) {
        return field.name.contains('_') &&
               std::ranges::any_of(source.program->headers, [&](const std::string& name) {
                   return equals_with_dashes(field.name, name);
               });
    });
}

/// Whether a field that the source reads has bytes that readers do not agree on.
bool has_obs_text_where_it_reads(const Head& head, const webhook::Source& source) {
    return std::ranges::any_of(head.fields(), [&](const webhook::HeaderField& field) {
        return has_obs_text(field.value) &&
               std::ranges::any_of(source.program->headers, [&](const std::string& name) {
                   return webhook::is_same_name(field.name, name);
               });
    });
}

}  // namespace

std::expected<void, Refusal> admit(const Head& head, const webhook::Source* source) {
    using enum Framing::Kind;
    if (source == nullptr) return std::unexpected{Refusal::unknown_path};
    if (head.method != "POST") return std::unexpected{Refusal::method_not_allowed};
    if (has_look_alike(head, *source)) return std::unexpected{Refusal::underscored_name};
    if (head.has_obs_text && has_obs_text_where_it_reads(head, *source))
        return std::unexpected{Refusal::field_value};
    if (head.framing.kind == none) return std::unexpected{Refusal::length_required};
    if (head.framing.kind == chunked && !source->allow_chunked)
        return std::unexpected{Refusal::chunked_not_allowed};
    if (head.framing.kind == length && head.framing.length > source->max_body)
        return std::unexpected{Refusal::body_too_large};
    return {};
}

std::size_t max_wire_bytes(const webhook::Source& source) noexcept {
    return 2 * source.max_body + std::size_t{64} * 1024;
}

}  // namespace sluice::gate
