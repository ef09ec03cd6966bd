#include "ctl/send/signing/forgery.hpp"

#include <algorithm>
#include <array>

#include "common/crypto/encoding.hpp"
#include "common/webhook/recipe/program.hpp"
#include "ctl/cli/json.hpp"
#include "ctl/send/signing/form_text.hpp"
#include "ctl/send/signing/signature_place.hpp"

namespace sluice::ctl {
namespace {

using webhook::Encoding;
using webhook::Input;
using webhook::Program;
using Outcome = std::expected<void, std::string>;

struct Named {
    Forgery forgery;
    std::string_view name;
};

constexpr std::array<Named, 9> names{{{Forgery::changed_body, "changed-body"},
                                      {Forgery::wrong_signature, "wrong-signature"},
                                      {Forgery::no_signature, "no-signature"},
                                      {Forgery::other_key, "other-key"},
                                      {Forgery::repeated_signature, "repeated-signature"},
                                      {Forgery::wrong_encoding, "wrong-encoding"},
                                      {Forgery::from_the_future, "from-the-future"},
                                      {Forgery::other_account, "other-account"},
                                      {Forgery::probe, "probe"}}};

char another(char c) {
    if (c >= '0' && c <= '9') return c == '9' ? '8' : '9';
    return c == 'A' ? 'B' : 'A';
}

/// A digit of the first amount, else of the first number, else the first letter of the first field.
std::size_t place_to_change(const std::string& body) {
    for (const std::string_view before : {"\"amount\": ", "\": "}) {
        for (std::size_t at = body.find(before); at != std::string::npos; at = body.find(before, at + 1)) {
            const std::size_t value = at + before.size();
            if (value < body.size() && body[value] >= '1' && body[value] <= '9') return value;
        }
    }
    return body.starts_with('{') ? std::string::npos : body.find('=') + 1;
}

void change_body(std::string& body) {
    const std::size_t place = place_to_change(body);
    if (place >= body.size()) return body.push_back(' ');
    body[place] = another(body[place]);
}

/// The first letter: the last one of base64 holds bits that count for nothing.
std::string with_another_letter(std::string written) {
    if (!written.empty()) written.front() = written.front() == '0' ? '1' : '0';
    return written;
}

std::string in_other_encoding(const std::string& written, Encoding encoding) {
    if (encoding == Encoding::base64) return crypto::to_hex(crypto::from_base64(written).value_or(""));
    return crypto::to_base64(crypto::from_hex(written, /*any_case=*/true).value_or(""));
}

/// Signed correctly, then put there once more.
Outcome sign_twice(OutgoingRequest& request, const Signer& signer, WallTime now) {
    const auto done = signer.sign(request, now);
    const Input& input = signer.source().program->input_of(Program::signature_slot);
    if (input.from == Input::From::form) {
        for (const auto& [name, value] : form_fields(request.body))
            if (name == input.names.front()) append_field(request.body, name, value);
    } else {
        request.headers.push_back(request.headers.back());
    }
    return done;
}

void name_another_account(OutgoingRequest& request, const Program& program) {
    const Input& bound = program.input_of(program.bound.front().slot);
    if (bound.from == Input::From::form) return replace_field(request.body, bound.names.front(), "another");
    auto delivery = parse_json(request.body);
    if (!delivery || !program.extraction.items) return;
    for (Json* item : items_of(*delivery, *program.extraction.items))
        (*item)[Json::json_pointer{bound.pointer.text()}] = "another";
    request.body = to_pretty(*delivery);
}

Outcome sign_for_another(OutgoingRequest& request, const Signer& signer, WallTime now) {
    name_another_account(request, *signer.source().program);
    return signer.sign(request, now);
}

Outcome sign_and_change(OutgoingRequest& request, const Signer& signer, WallTime now) {
    const auto done = signer.sign(request, now);
    change_body(request.body);
    return done;
}

}  // namespace

std::string_view name_of(Forgery forgery) noexcept {
    const auto* found = std::ranges::find(names, forgery, &Named::forgery);
    return found == names.end() ? "?" : found->name;
}

std::optional<Forgery> forgery_from(std::string_view name) noexcept {
    const auto* found = std::ranges::find(names, name, &Named::name);
    if (found == names.end()) return std::nullopt;
    return found->forgery;
}

std::vector<std::string> forgery_names() {
    std::vector<std::string> all;
    for (const Named& one : names) all.emplace_back(one.name);
    return all;
}

std::vector<Forgery> forgeries_for(const webhook::Source& source) {
    const Program& program = *source.program;
    const auto& signature = program.input_of(Program::signature_slot);
    std::vector<Forgery> all{Forgery::wrong_signature, Forgery::no_signature, Forgery::other_key};
    if (source.trust != webhook::Trust::none) all.push_back(Forgery::changed_body);
    if (signature.from != Input::From::item) all.push_back(Forgery::repeated_signature);
    if (program.signature.encoding != Encoding::text) all.push_back(Forgery::wrong_encoding);
    if (program.window) all.push_back(Forgery::from_the_future);
    if (!program.bound.empty()) all.push_back(Forgery::other_account);
    if (!program.signature.probe.empty()) all.push_back(Forgery::probe);
    return all;
}

Outcome forge(OutgoingRequest& request, Forgery forgery, const Signer& signer, WallTime now) {
    const Program& program = *signer.source().program;
    const auto encoding = program.signature.encoding;
    switch (forgery) {
        case Forgery::changed_body:
            return sign_and_change(request, signer, now);
        case Forgery::wrong_signature:
            return signer.sign(request, now, with_another_letter);
        case Forgery::no_signature:
            signer.complete(request, now);
            return {};
        case Forgery::other_key:
            return signer.with_key(signer.key().stranger()).sign(request, now);
        case Forgery::repeated_signature:
            return sign_twice(request, signer, now);
        case Forgery::wrong_encoding:
            return signer.sign(request, now,
                               [&](const auto& text) { return in_other_encoding(text, encoding); });
        case Forgery::from_the_future:
            return signer.sign(request, now + program.window->future + std::chrono::minutes{1});
        case Forgery::other_account:
            return sign_for_another(request, signer, now);
        case Forgery::probe:
            return signer.sign(request, now,
                               [&](const auto& text) { return program.signature.probe + text; });
    }
    return {};
}

}  // namespace sluice::ctl
