#include "ctl/send/signing/signer.hpp"

#include <algorithm>
#include <chrono>

#include "common/crypto/encoding.hpp"
#include "common/webhook/body/form.hpp"
#include "common/webhook/body/json_view.hpp"
#include "common/webhook/signature/candidate.hpp"
#include "common/webhook/signature/refusal_detail.hpp"
#include "common/webhook/signature/signed_inputs.hpp"
#include "common/webhook/signature/signed_text.hpp"
#include "ctl/cli/json.hpp"
#include "ctl/send/signing/form_text.hpp"
#include "ctl/send/signing/signature_place.hpp"

namespace sluice::ctl {
namespace {

using webhook::Input;
using webhook::Program;

// Stands where the signature will, while the rest is collected.
constexpr std::string_view placeholder = "00";

std::string timestamp_text(const Program& program, WallTime now) {
    const auto seconds = std::chrono::floor<std::chrono::seconds>(now).time_since_epoch().count();
    return std::to_string(seconds) + (program.unit == webhook::TimeUnit::milliseconds ? "000" : "");
}

/// Ids of messages stay over redeliveries, so they depend on the body alone.
std::string message_id(const OutgoingRequest& request) {
    return "msg_" + crypto::to_hex(crypto::sha256(request.body)).substr(0, 24);
}

bool is_given(const OutgoingRequest& request, const Input& input) {
    if (input.from == Input::From::form)
        return std::ranges::contains(form_fields(request.body), input.names.front(),
                                     &FormFields::value_type::first);
    return std::ranges::any_of(input.names, [&](const auto& name) { return find_header(request, name); });
}

std::expected<std::string, std::string> written_signature(const Program& program, const SigningKey& key,
                                                          const OutgoingRequest& request,
                                                          const webhook::JsonView* item,
                                                          const Signer::Rewrite& rewrite) {
    const ArrivedRequest arrived{request};
    webhook::Form form;
    webhook::SignedInputs inputs;
    if (const auto collected = webhook::collect(program, arrived.view(), form, inputs, item); !collected) {
        const webhook::Finding& finding = collected.error();
        return std::unexpected(std::string{name_of(finding.check)} + " (" + std::string{finding.header} +
                               "): " + webhook::detail_of(finding, program));
    }
    const std::string bytes = key.sign(webhook::SignedText(program.readings.front(), inputs).pieces());
    std::string written = webhook::text_of(bytes, program.signature.encoding);
    return rewrite ? rewrite(std::move(written)) : written;
}

}  // namespace

std::optional<std::string> Signer::known_text(std::uint8_t slot, WallTime now) const {
    const Program& program = *source_->program;
    const auto pinned = std::ranges::find(program.pinned, slot, &webhook::FixedSlot::slot);
    if (pinned != program.pinned.end()) return pinned->text;
    if (slot == program.timestamp_slot) return timestamp_text(program, now);
    if (slot == program.key_id_slot) return key_.id();
    if (program.certificate && program.certificate->slot == slot) return key_.certificate();
    return std::nullopt;
}

void Signer::complete(OutgoingRequest& request, WallTime now) const {
    const Program& program = *source_->program;
    const std::string made_up = message_id(request);
    for (std::size_t i = 1; i < program.first_pair; ++i) {
        const Input& input = program.inputs[i];
        const auto slot = static_cast<std::uint8_t>(1 + i);
        const bool is_new = slot == program.timestamp_slot && input.from == Input::From::header;
        if (!is_new && (input.optional || is_given(request, input))) continue;
        const auto known = known_text(slot, now);
        if (input.from == Input::From::header)
            set_header(request, input.names.front(), known.value_or(made_up));
        if (input.from == Input::From::form && known) append_field(request.body, input.names.front(), *known);
    }
}

std::expected<void, std::string> Signer::sign(OutgoingRequest& request, WallTime now,
                                              const Rewrite& rewrite) const {
    const Program& program = *source_->program;
    complete(request, now);
    if (program.input_of(Program::signature_slot).from == Input::From::item)
        return sign_items(request, rewrite);
    const std::string timestamp = timestamp_text(program, now);
    OutgoingRequest draft = request;
    place_signature(draft, program, signature_value(program, key_, timestamp, placeholder));
    const auto written = written_signature(program, key_, draft, nullptr, rewrite);
    if (!written) return std::unexpected(written.error());
    place_signature(request, program, signature_value(program, key_, timestamp, *written));
    return {};
}

std::expected<void, std::string> Signer::sign_items(OutgoingRequest& request, const Rewrite& rewrite) const {
    const Program& program = *source_->program;
    auto delivery = parse_json(request.body);
    if (!delivery) return std::unexpected("the body is not JSON");
    const Json::json_pointer place{program.input_of(Program::signature_slot).pointer.text()};
    const auto items = items_of(*delivery, *program.extraction.items);
    if (items.empty())
        return std::unexpected("the body has no items at " + program.extraction.items->at.text());
    for (Json* item : items) {
        (*item)[place] = placeholder;
        webhook::JsonView view;
        if (!view.read(to_line(*item))) return std::unexpected("an item is not JSON");
        const auto written = written_signature(program, key_, request, &view, rewrite);
        if (!written) return std::unexpected(written.error());
        (*item)[place] = *written;
    }
    request.body = to_pretty(*delivery);
    return {};
}

}  // namespace sluice::ctl
