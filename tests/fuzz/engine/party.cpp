#include "tests/fuzz/engine/party.hpp"

#include <algorithm>

#include "common/crypto/hmac.hpp"
#include "common/webhook/http/header_lookup.hpp"
#include "common/webhook/signature/candidate.hpp"
#include "common/webhook/signature/signed_text.hpp"
#include "ctl/send/signing/signer.hpp"

namespace sluice::fuzz {
namespace {

using webhook::Algorithm;

bool is_whole_body_in(const std::vector<webhook::Segment>& reading) {
    return std::ranges::contains(reading, webhook::Program::body_slot, &webhook::Segment::slot);
}

std::move_only_function<std::string(std::span<const std::string_view>)> signing_with(
    const webhook::Key& key) {
    using Text = std::span<const std::string_view>;
    switch (key.algorithm) {
        case Algorithm::hmac_sha256:
            return [hmac = crypto::HmacSha256(key.material)](Text text) mutable {
                return std::string{crypto::as_text(hmac(text))};
            };
        case Algorithm::hmac_sha1:
            return [hmac = crypto::HmacSha1(key.material)](Text text) mutable {
                return std::string{crypto::as_text(hmac(text))};
            };
        case Algorithm::equal:
            return [&key](Text) { return std::string{key.material.bytes()}; };
        case Algorithm::rsa_sha256:
        case Algorithm::ed25519:
            break;
    }
    return {};
}

/// Headers that do for any body, once the signature is made for it.
std::optional<ctl::OutgoingRequest> usual_of(const std::shared_ptr<const webhook::Source>& source) {
    const auto key = ctl::SigningKey::of(*source, Party::usual_time);
    if (!key || source->program->reads_form || source->has_items) return std::nullopt;
    ctl::OutgoingRequest request{.target = "/", .headers = {}, .body = "{}"};
    if (!ctl::Signer{source, *key}.sign(request, Party::usual_time)) return std::nullopt;
    return request;
}

/// Whether `part` is a view into `whole`, and not only equal to some of it.
bool lies_in(std::string_view part, std::string_view whole) {
    const std::less_equal<const char*> is_before;
    return is_before(whole.data(), part.data()) &&
           is_before(part.data() + part.size(), whole.data() + whole.size());
}

}  // namespace

Party::Party(std::shared_ptr<const webhook::Source> source, Tally& tally)
    : source_{std::move(source)},
      tally_{tally},
      covers_body_{source_->trust == webhook::Trust::full &&
                   std::ranges::all_of(program().readings, is_whole_body_in)} {
    for (const webhook::Key& key : program().keys)
        if (auto sign = signing_with(key)) signers_.push_back({&key, std::move(sign)});
    usual_ = usual_of(source_);
    if (!usual_) return;
    for (const auto& [name, value] : usual_->headers) usual_fields_.push_back({name, value});
}

std::optional<webhook::Request> Party::usual(std::string_view body) const {
    if (!usual_) return std::nullopt;
    return webhook::Request{"POST", usual_->target, usual_fields_, body};
}

void Party::meet(const Places& places) {
    for (const auto& [name, number] : places) {
        const auto& own = program().headers;
        const auto is_it = [&](std::string_view one) { return webhook::is_same_name(one, name); };
        const bool is_known = number >= own.size() || std::ranges::any_of(own, is_it);
        names_.push_back(is_known ? std::string_view{} : std::string_view{own[number]});
    }
}

std::span<const webhook::HeaderField> Party::fields_of(const Message& message) {
    fields_.clear();
    for (const Message::Header& header : message.headers) {
        const bool is_renamed = header.place != no_place && !names_[header.place].empty();
        fields_.push_back({is_renamed ? names_[header.place] : header.name, header.value});
    }
    return fields_;
}

std::optional<webhook::Check> Party::judge(const webhook::Request& request, WallTime now, bool explain) {
    const auto verdict = webhook::verify(*source_, request, now, scratch_, explain);
    if (!verdict) {
        tally_.count(verdict.error().check);
        return verdict.error().check;
    }
    tally_.count(std::nullopt);
    extract(request);
    return std::nullopt;
}

void Party::extract(const webhook::Request& request) {
    if (!program().extraction.items) {
        if (webhook::extract_into(extracted_, *source_, request, whole_)) ++tally_.extracted;
        return;
    }
    if (const auto items = webhook::extract_items(*source_, request, whole_, item_))
        tally_.extracted += static_cast<std::uint64_t>(
            std::ranges::count_if(*items, [](const webhook::Item& item) { return item.event.has_value(); }));
}

const webhook::JsonView* Party::first_item(const webhook::Request& request) {
    const auto& rule = *program().extraction.items;
    if (!whole_.read(request.body)) return nullptr;
    const auto items = webhook::items_in(rule, whole_, item_);
    const bool is_there = items && !items->empty() && item_.read_padded(items->front());
    return is_there ? &item_ : nullptr;
}

Party::Signer* Party::signer_of(const webhook::SignedInputs& inputs, WallTime now) {
    const auto is_meant = [&](const Signer& signer) {
        const auto slot = program().key_id_slot;
        return signer.key->is_live(now) && signer.key->label == inputs.candidates.front().label &&
               (slot == webhook::Program::no_slot || inputs.slots[slot] == signer.key->id);
    };
    const auto found = std::ranges::find_if(signers_, is_meant);
    return found == signers_.end() ? nullptr : &*found;
}

std::optional<webhook::Request> Party::signed_anew(const webhook::Request& request, WallTime now) {
    if (signers_.empty()) return std::nullopt;
    const auto& items = program().extraction.items;
    const bool is_by_item = items && items->each_signed;
    const webhook::JsonView* const item = is_by_item ? first_item(request) : nullptr;
    if (is_by_item && item == nullptr) return std::nullopt;
    webhook::SignedInputs inputs;
    if (!webhook::collect(program(), request, form_, inputs, item) || inputs.candidate_count == 0)
        return std::nullopt;
    const std::string_view old = inputs.candidates.front().text;
    Signer* const signer = signer_of(inputs, now);
    if (signer == nullptr || old.empty()) return std::nullopt;
    const webhook::SignedText text{program().readings.front(), inputs};
    const std::string right = webhook::text_of(signer->sign(text.pieces()), program().signature.encoding);
    if (!replace(request, old, right)) return std::nullopt;
    return webhook::Request{request.method, request.target, signed_fields_, signed_body_};
}

/// In the header that it is a view into, or where the body, a form or a list of items, has it plainly.
bool Party::replace(const webhook::Request& request, std::string_view old, std::string_view right) {
    signed_fields_.assign(request.headers.begin(), request.headers.end());
    signed_body_ = request.body;
    const auto field = std::ranges::find_if(
        signed_fields_, [&](const webhook::HeaderField& one) { return lies_in(old, one.value); });
    if (field == signed_fields_.end()) {
        const std::size_t at = signed_body_.find(old);
        if (at != std::string::npos) signed_body_.replace(at, old.size(), right);
        return at != std::string::npos;
    }
    signed_value_ = field->value;
    signed_value_.replace(static_cast<std::size_t>(old.data() - field->value.data()), old.size(), right);
    field->value = signed_value_;
    return true;
}

}  // namespace sluice::fuzz
