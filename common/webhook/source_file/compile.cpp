#include "common/webhook/source_file/compile.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "common/webhook/http/header_lookup.hpp"
#include "common/webhook/recipe/asked_together.hpp"
#include "common/webhook/recipe/slots.hpp"
#include "common/webhook/signature/scratch.hpp"
#include "common/webhook/source_file/key_derivation.hpp"
#include "common/webhook/source_file/payment_settings.hpp"

namespace sluice::webhook {

namespace {

using Kind = SignedPart::Kind;

/// A source's own texts count as literals.
SignedPart with_settings(const SignedPart& part, const ProgramSettings& settings) {
    if (part.kind != Kind::setting) return part;
    SignedPart literal = part;
    literal.kind = Kind::literal;
    const auto found = settings.with.texts.find(part.text);
    literal.text = found == settings.with.texts.end() ? std::string{} : found->second;
    return literal;
}

/// Neighbouring literals become one, so that what ends a part of the message is known whole.
void add_segment(std::vector<Segment>& segments, const Program& program, const SignedPart& part) {
    const std::uint8_t slot = slot_of(program, part);
    const std::uint8_t only_if = part.only_if ? slot_of(program, *part.only_if) : Segment::always;
    const bool is_fixed = slot == Segment::fixed;
    if (is_fixed && !segments.empty() && segments.back().slot == Segment::fixed &&
        segments.back().only_if == only_if) {
        segments.back().text += part.text;
        return;
    }
    segments.push_back({slot, is_fixed ? part.text : std::string{}, {}, only_if});
}

/// Digits only: a timestamp or a checksum cannot be mistaken for what follows, nor can the body, which
/// comes last.
bool is_unmistakable(const Program& program, std::uint8_t slot) {
    if (slot == Segment::fixed || slot == Program::body_slot || slot == program.timestamp_slot) return true;
    const Input& input = program.input_of(slot);
    return input.from == Input::From::crc32 || stands_for_body(input, program.body);
}

void exclude_endings(const Program& program, std::vector<Segment>& segments) {
    bool has_open = false;
    for (std::size_t i = 0; i + 1 < segments.size(); ++i) {
        Segment& segment = segments[i];
        const bool may_hold_it = segment.slot != Segment::fixed && segment.slot != Program::body_slot &&
                                 program.input_of(segment.slot).open;
        if (!is_unmistakable(program, segment.slot) && !may_hold_it) segment.excluded = segments[i + 1].text;
        has_open |= may_hold_it;
    }
    // What follows an open part must not pass for a piece of it.
    if (has_open && !is_unmistakable(program, segments.back().slot))
        segments.back().excluded = segments[segments.size() - 2].text;
}

std::vector<Segment> compile_reading(const Program& program, const Reading& reading,
                                     const ProgramSettings& settings) {
    std::vector<Segment> segments;
    for (const SignedPart& part : reading) add_segment(segments, program, with_settings(part, settings));
    exclude_endings(program, segments);
    return segments;
}

std::uint64_t next_serial() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

void destroy(const Program* program) {
    delete program;
    count_gone_program();
}

/// Settings that a source may leave out bind nothing then.
std::vector<Bind> binds_of(const Recipe& recipe, const ProgramSettings& settings) {
    std::vector<Bind> binds = recipe.binds;
    std::erase_if(binds, [&](const Bind& bind) {
        const auto found = settings.with.texts.find(bind.setting);
        return found == settings.with.texts.end() || found->second.empty();
    });
    return binds;
}

void fix_slots(Program& program, const Recipe& recipe, const std::vector<Bind>& binds,
               const ProgramSettings& settings) {
    for (const Requirement& one : recipe.required) {
        if (!one.is.empty()) program.pinned.push_back({slot_of(program, one.input), one.is});
    }
    for (const Bind& bind : binds)
        program.bound.push_back(
            {slot_of(program, bind.input), settings.with.texts.find(bind.setting)->second});
}

/// Hosts are the same in any case, and addresses have theirs in lower case.
std::vector<std::string> in_lower_case(std::vector<std::string> hosts) {
    for (auto& host : hosts) std::ranges::transform(host, host.begin(), lower_case);
    return hosts;
}

/// Nothing for those who only decode: they have no certificates.
std::optional<CertificateTrust> trust_of(const Recipe& recipe, const Program& program, SettingValues& with) {
    if (!recipe.certificate) return std::nullopt;
    const CertificateRule& rule = *recipe.certificate;
    const auto trusted = with.certificates.find(rule.trust_setting);
    if (trusted == with.certificates.end()) return std::nullopt;
    using enum crypto::TrustStore::Sha1;
    return CertificateTrust{rule,
                            slot_of(program, rule.from),
                            in_lower_case(std::move(with.lists[rule.hosts_setting])),
                            std::move(with.folders[rule.cache_setting]),
                            crypto::TrustStore{trusted->second, rule.allows_sha1 ? allowed : refused},
                            with.texts[rule.name_setting]};
}

/// What a form's signature leaves out.
std::optional<SortedForm> sorted_form_of(const std::vector<Reading>& readings) {
    for (const Reading& reading : readings) {
        for (const SignedPart& part : reading) {
            if (part.kind == Kind::input && part.input.from == Input::From::sorted_form)
                return SortedForm{part.input.names, part.input.skip_blank};
        }
    }
    return std::nullopt;
}

/// The source says which mode its events are of, where its recipe leaves that to it.
void set_mode(Extraction& extraction, const SettingValues& with) {
    const auto setting = with.texts.find(extraction.livemode_setting);
    if (setting != with.texts.end()) extraction.livemode_if_absent = setting->second == extraction.live_text;
}

void set_times(Program& program, const TimestampRule& rule, std::optional<TimeWindow> window) {
    if (rule.in == TimestampRule::In::none) return;
    program.timestamp_slot = slot_of(program, rule.input);
    program.unit = rule.unit;
    program.window = window;
}

}  // namespace

decltype(Source::program) compile(const Recipe& recipe, ProgramSettings settings) {
    auto program = std::make_unique<Program>();
    program->signature = recipe.signature;
    const auto& readings = readings_of(recipe.signed_rule, settings.with.texts);
    const auto binds = binds_of(recipe, settings);
    name_slots(recipe, readings, binds, *program);
    fix_slots(*program, recipe, binds, settings);
    program->challenge = recipe.challenge;
    program->body = recipe.body;
    program->body.sorted = sorted_form_of(readings);
    if (recipe.body.encrypted)
        program->body_key = std::move(settings.with.secrets[recipe.body.encrypted->key]);
    set_times(*program, recipe.timestamp, settings.window);
    for (const Reading& reading : readings)
        program->readings.push_back(compile_reading(*program, reading, settings));
    if (recipe.key_choice.by) program->key_id_slot = slot_of(*program, *recipe.key_choice.by);
    program->keys = std::move(settings.keys);
    program->certificate = trust_of(recipe, *program, settings.with);
    program->extraction = recipe.extraction;
    set_mode(program->extraction, settings.with);
    if (recipe.payment) program->payment = with_settings(*recipe.payment, settings.with);
    if (settings.order_by) program->extraction.order_by = std::move(*settings.order_by);
    ask_together(program->extraction);
    if (program->payment) ask_together(*program->payment);
    program->keys_stamp = keys_stamp(program->extraction);
    program->serial = next_serial();
    return {program.release(), destroy};
}

}  // namespace sluice::webhook
