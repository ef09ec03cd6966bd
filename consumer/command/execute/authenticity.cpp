#include "consumer/command/execute/authenticity.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "common/crypto/encoding.hpp"
#include "common/webhook/extract/content_digest.hpp"
#include "common/webhook/extract/decode.hpp"
#include "common/webhook/http/request.hpp"
#include "common/webhook/recipe/program.hpp"
#include "common/webhook/signature/verify.hpp"
#include "consumer/command/execute/signed_body.hpp"

namespace sluice::consumer {
namespace {

/// The parameter that says which object an event is about, first of all that may; empty without one.
std::string_view object_parameter(const webhook::Program& program) {
    const auto& order_by = program.extraction.order_by;
    if (order_by.empty() || order_by.front().value.size() != 1) return {};
    const webhook::Fact& fact = order_by.front().value.front();
    return fact.from == webhook::Fact::From::query ? std::string_view{fact.name} : std::string_view{};
}

std::string percent_encoded(std::string_view text) {
    std::string encoded;
    for (const char c : text) encoded.append("%").append(crypto::to_hex(std::string_view{&c, 1}));
    return encoded;
}

std::string target_of(const webhook::Program& program, const record::EventHeaders& event) {
    const std::string_view parameter = object_parameter(program);
    if (parameter.empty() || event.object.empty()) return "/";
    return "/?" + std::string{parameter} + "=" + percent_encoded(event.object);
}

/// What a provider sent, out of the record that was made of it: as much as its signature takes in. `event`
/// outlives it.
class RebuiltRequest {
public:
    RebuiltRequest(const webhook::Program& program, const record::EventHeaders& event)
        : target_{target_of(program, event)} {
        for (const auto& [name, value] : event.http) headers_.push_back({name, value});
    }

    /// With this body. The view lives as long as the body and this.
    [[nodiscard]] webhook::Request with(std::string_view body) const noexcept {
        return {"POST", target_, headers_, body};
    }

private:
    std::string target_;
    std::vector<webhook::HeaderField> headers_;
};

/// Whether parameters of the target take part in the signature. A record keeps no target: of one whose
/// parameter names the object the value is known, any other is lost.
bool has_signed_query(const webhook::Program& program) noexcept {
    return std::ranges::contains(program.inputs, webhook::Input::From::query, &webhook::Input::from);
}

/// Another principal's key says nothing, under any source name: the record would be another account's.
bool is_of_principal(const webhook::Source& source, const record::EventHeaders& event) {
    return source.provider == event.provider && source.principal == event.principal;
}

const webhook::Source* named_source(const webhook::SourceSet& sources, const record::EventHeaders& event) {
    const auto found = std::ranges::find_if(sources, [&](const auto& source) {
        return source->name == event.source && is_of_principal(*source, event);
    });
    return found == sources.end() ? nullptr : found->get();
}

/// Whether the key that had matched is the source's still, and was in force then.
bool has_key_of(const webhook::Program& program, const record::EventHeaders& event) {
    return std::ranges::any_of(program.keys, [&](const webhook::Key& key) {
        return key.id == event.key_id && key.is_live(event.received_at);
    });
}

/// Whether a refusal can only mean that something was changed.
bool is_conclusive(const webhook::Program& program, const record::EventHeaders& event, webhook::Check check) {
    if (has_signed_query(program)) return false;
    if (program.certificate) return check != webhook::Check::certificate;
    return has_key_of(program, event);
}

bool has_digest_of(const webhook::Source& source, const record::EventHeaders& event, std::string_view value) {
    const webhook::Extraction& rules = source.program->extraction;
    webhook::JsonView view;
    if (!webhook::decode(source, value, view)) return false;
    const auto digest = rules.fields_digest ? webhook::fields_digest(*rules.fields_digest, value)
                                            : webhook::content_digest(rules.digest, event.event_id, view);
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
bool is_of_signed(const webhook::Source& source, const record::EventHeaders& event, std::string_view value,
                  std::string_view body) {
    const auto& items = source.program->extraction.items;
    if (items && !items->each_signed && !is_item_of(*items, body, *event.item, value)) return false;
    return covers_body(source.trust) || has_digest_of(source, event, value);
}

}  // namespace

Authentic Authenticity::under(const webhook::Source& source, const record::EventHeaders& event,
                              std::string_view value) const {
    const webhook::Program& program = *source.program;
    const auto body = signed_body(program, event, value, originals_);
    if (!body) return Authentic::unknown;
    const RebuiltRequest request{program, event};
    webhook::Scratch scratch;
    const auto verdict = webhook::verify(source, request.with(*body), event.received_at, scratch);
    if (verdict) return is_of_signed(source, event, value, *body) ? Authentic::yes : Authentic::no;
    return is_conclusive(program, event, verdict.error().check) ? Authentic::no : Authentic::unknown;
}

/// Without the source that the record names, another of its principal's may have the key under a new name;
/// that it has not proves nothing.
Authentic Authenticity::check(const Record& record) const {
    const auto event = record::decode(record.headers);
    if (!event) return Authentic::unknown;
    if (const webhook::Source* const named = named_source(sources_, *event))
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
