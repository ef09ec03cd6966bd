// The recipe engine: any recipe with any request. The input is YAML with a recipe called "mine", a line
// "---", header lines, an empty line and a body. Promises, for every recipe that is accepted:
//   - what we sign for a source, it verifies; at both ends of its window, and not one second outside;
//   - a request that nobody signed is refused, and so is a signed one with another body, or with a
//     header that takes part missing, repeated or with another value; headers that take no part change
//     nothing;
//   - the signed text has one reading: the same signature never stands for other texts between its
//     literals.
// A recipe that is not accepted says why and leaves no source behind.
#include <algorithm>
#include <string>

#include "common/webhook/http/header_lookup.hpp"
#include "common/webhook/signature/verify.hpp"
#include "ctl/send/signing/signer.hpp"
#include "tests/fuzz/recipe/recipe_input.hpp"
#include "tests/fuzz/recipe/second_reading.hpp"
#include "tests/fuzz/support/input.hpp"
#include "tests/fuzz/support/require.hpp"

namespace sluice::fuzz {
namespace {

using webhook::Program;

constexpr WallTime now{std::chrono::seconds{1'795'258'000}};

class Verifier {
public:
    explicit Verifier(const webhook::Source& source) : source_{source} {}

    /// "" when it is authentic, else the name of the check.
    std::string operator()(const Letter& letter, WallTime at = now) {
        const auto fields = letter.fields();
        const auto verdict = webhook::verify(source_, {"POST", "/", fields, letter.body}, at, scratch_);
        return verdict ? "" : std::string{name_of(verdict.error().check)};
    }

    [[nodiscard]] webhook::Trust trust() const { return source_.trust; }

    [[nodiscard]] std::vector<std::string> covered_by(const Letter& letter) const {
        const auto fields = letter.fields();
        webhook::Form form;
        webhook::SignedInputs inputs;
        require(
            webhook::collect(*source_.program, {"POST", "/", fields, letter.body}, form, inputs).has_value(),
            "it can be taken apart");
        return covered(*source_.program, inputs);
    }

private:
    const webhook::Source& source_;
    webhook::Scratch scratch_;
};

void keeps_the_window(const Program& program, Verifier& verdict, const Letter& letter) {
    if (!program.window) return;
    constexpr std::chrono::seconds one{1};
    const auto last = program.window->past - (program.window->ends_are_inside ? 0 * one : one);
    const auto first = program.window->future - (program.window->ends_are_inside ? 0 * one : one);
    require(verdict(letter, now + last).empty(), "the window's last second is inside");
    require(verdict(letter, now + last + one) == "too_old", "the window ends");
    require(verdict(letter, now - first).empty(), "the window's first second is inside");
    require(verdict(letter, now - first - one) == "too_new", "the window begins");
}

bool is_optional(const Program& program, std::string_view header) {
    return std::ranges::any_of(program.inputs, [&](const webhook::Input& input) {
        return input.optional && !input.names.empty() && webhook::is_same_name(input.names.front(), header);
    });
}

void rests_on_every_header(const Program& program, Verifier& verdict, const Letter& letter) {
    for (std::size_t i = 0; i < letter.headers.size(); ++i) {
        Letter other = letter;
        other.headers.push_back(other.headers[i]);
        require(verdict(other) == "repeated_header", "a header that takes part stands once");
        other.headers.pop_back();
        other.headers.erase(other.headers.begin() + static_cast<std::ptrdiff_t>(i));
        const bool may_be_absent = is_optional(program, letter.headers[i].first);
        require(may_be_absent || !verdict(other).empty(), "a header that takes part is there");
    }
    Letter more = letter;
    more.headers.insert(more.headers.begin(), {"X-Takes-No-Part-" + program.headers.front(), "1"});
    require(verdict(more).empty(), "a header that takes no part changes nothing");
}

/// Values of the input in the place of signed ones.
void takes_nothing_else(Verifier& verdict, const Letter& letter, const Letter& arbitrary) {
    const auto original = verdict.covered_by(letter);
    for (auto [name, value] : arbitrary.headers) {
        Letter other = letter;
        for (auto& [known, old] : other.headers)
            if (webhook::is_same_name(known, name)) old = value;
        if (verdict(other).empty())
            require(verdict.covered_by(other) == original, "a signature stands for one value of each header",
                    value);
    }
    if (verdict.trust() != webhook::Trust::full) return;
    for (const std::string& body : {arbitrary.body, letter.body + "\n", std::string{}}) {
        const Letter other{letter.headers, body};
        require(body == letter.body || !verdict(other).empty(), "a signature stands for one body", body);
    }
}

void has_one_reading(const Program& program, Verifier& verdict, const Letter& letter) {
    const auto fields = letter.fields();
    webhook::Form form;
    webhook::SignedInputs inputs;
    require(webhook::collect(program, {"POST", "/", fields, letter.body}, form, inputs).has_value(),
            "it can be taken apart");
    for (std::uint64_t choice = 0; choice < 24; ++choice) {
        const auto other = second_reading(program, inputs, choice);
        if (other && verdict(*other).empty())
            require(verdict.covered_by(*other) == covered(program, inputs), "the signed text has one reading",
                    other->body);
    }
}

/// Nothing where only public keys could have signed, where the body does not stay as it is, or where
/// something takes part that a body alone does not bring.
std::optional<Letter> signed_by_us(const std::shared_ptr<const webhook::Source>& source,
                                   const std::string& body) {
    const auto key = ctl::SigningKey::of(*source, now);
    if (!key || source->program->reads_form || source->has_items) return std::nullopt;
    ctl::OutgoingRequest request{.target = "/", .headers = {}, .body = body};
    if (!ctl::Signer{source, *key}.sign(request, now)) return std::nullopt;
    return Letter{request.headers, request.body};
}

void try_recipe(std::string_view text) {
    const Input input = input_of(text);
    const webhook::SourceSet sources = sources_of(input.recipes);
    if (sources.empty()) return;
    const Program& program = *sources.front()->program;
    Verifier verdict{*sources.front()};
    // A token is no signature: an input that holds the right one is as good as any.
    const bool is_token = program.keys.front().algorithm == webhook::Algorithm::equal;
    require(is_token || !verdict(input.letter).empty(), "what nobody signed is refused");
    const auto signed_letter = signed_by_us(sources.front(), input.letter.body);
    if (!signed_letter) return;
    const Letter& letter = *signed_letter;
    const std::string said = verdict(letter);
    // Pins may contradict each other, or the signature; and any text may be what begins a probe.
    const bool may_refuse =
        said == "header_too_long" || said == "probe" || (said == "header_grammar" && !program.pinned.empty());
    require(said.empty() || !is_plain(program) || may_refuse, "what we sign verifies", said);
    if (!said.empty()) return;
    keeps_the_window(program, verdict, letter);
    rests_on_every_header(program, verdict, letter);
    takes_nothing_else(verdict, letter, input.letter);
    has_one_reading(program, verdict, letter);
}

}  // namespace
}  // namespace sluice::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    sluice::fuzz::try_recipe(sluice::fuzz::text_of(data, size));
    return 0;
}
