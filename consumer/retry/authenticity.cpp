#include "consumer/retry/authenticity.hpp"

#include <algorithm>

#include "consumer/retry/rebuilt_request.hpp"
#include "consumer/retry/signed_body.hpp"
#include "ingress/verify/content_digest.hpp"
#include "ingress/verify/decode.hpp"
#include "ingress/verify/program.hpp"
#include "ingress/verify/verify.hpp"

namespace sluice::consumer {
namespace {

/// Another principal's key says nothing, whatever its source is called: the record would be another
/// account's.
bool is_of_principal(const verify::Source& source, const record::EventHeaders& event) {
    return source.provider == event.provider && source.principal == event.principal;
}

const verify::Source* named_source(const verify::SourceSet& sources, const record::EventHeaders& event) {
    const auto found = std::ranges::find_if(sources, [&](const auto& source) {
        return source->name == event.source && is_of_principal(*source, event);
    });
    return found == sources.end() ? nullptr : found->get();
}

/// Whether the key that had matched is the source's still, and was in force then.
bool has_key_of(const verify::Program& program, const record::EventHeaders& event) {
    return std::ranges::any_of(program.keys, [&](const verify::Key& key) {
        return key.id == event.key_id && key.is_live(event.received_at);
    });
}

/// Whether a refusal can only mean that something was changed.
bool is_conclusive(const verify::Program& program, const record::EventHeaders& event, verify::Check check) {
    if (has_signed_query(program)) return false;
    if (program.certificate) return check != verify::Check::certificate;
    return has_key_of(program, event);
}

bool has_digest_of(const verify::Source& source, const record::EventHeaders& event, std::string_view value) {
    const verify::Extraction& rules = source.program->extraction;
    verify::JsonView view;
    if (!verify::decode(source, value, view)) return false;
    const auto digest = rules.fields_digest ? verify::fields_digest(*rules.fields_digest, value)
                                            : verify::content_digest(rules.digest, event.event_id, view);
    return digest && *digest == event.content_digest;
}

/// Of one delivery, which need not be looked for.
class AtHand final : public Originals {
public:
    explicit AtHand(std::string_view delivery) : delivery_{delivery} {}
    [[nodiscard]] std::optional<std::string> find(const crypto::Digest& digest, WallTime) override {
        if (crypto::sha256(delivery_) != digest) return std::nullopt;
        return std::string{delivery_};
    }

private:
    std::string_view delivery_;
};

/// Whether the value is what was signed, or the part of it that the record says.
bool is_of_signed(const verify::Source& source, const record::EventHeaders& event, std::string_view value,
                  std::string_view body) {
    const auto& items = source.program->extraction.items;
    if (items && !items->each_signed && !is_item_of(*items, body, *event.item, value)) return false;
    return covers_body(source.trust) || has_digest_of(source, event, value);
}

}  // namespace

Authentic Authenticity::under(const verify::Source& source, const record::EventHeaders& event,
                              std::string_view value) const {
    const verify::Program& program = *source.program;
    const auto body = signed_body(program, event, value, originals_);
    if (!body) return Authentic::unknown;
    const RebuiltRequest request{program, event};
    verify::Scratch scratch;
    const auto verdict = verify::verify(source, request.with(*body), event.received_at, scratch);
    if (verdict) return is_of_signed(source, event, value, *body) ? Authentic::yes : Authentic::no;
    return is_conclusive(program, event, verdict.error().check) ? Authentic::no : Authentic::unknown;
}

/// Without the source that the record names, another of its principal's may have the key under a new name;
/// that it has not proves nothing.
Authentic Authenticity::check(const Record& record) const {
    const auto event = record::decode(record.headers);
    if (!event) return Authentic::unknown;
    if (const verify::Source* const named = named_source(sources_, *event))
        return under(*named, *event, record.value);
    const bool is_a_peers = std::ranges::any_of(sources_, [&](const auto& source) {
        return is_of_principal(*source, *event) && under(*source, *event, record.value) == Authentic::yes;
    });
    return is_a_peers ? Authentic::yes : Authentic::unknown;
}

Authentic Authenticity::check_item(const Record& record, std::string_view delivery) const {
    AtHand originals{delivery};
    return Authenticity{sources_, &originals}.check(record);
}

}  // namespace sluice::consumer
