// The signature engine with the recipes that are built in. The input is a request: "SECONDS VARIANT TARGET",
// header lines, an empty line and a body. Every recipe judges it, with one of its sources (VARIANT says
// which), under the names that its own headers have: as it came, with its first signature made right, and
// with headers that were signed for its body. What is authentic is read. Promises, besides what the
// sanitizers look at:
//   - headers as the provider sends them, with the signature of whatever body, verify;
//   - where the signature covers the body, no other body is authentic with it.
// One call of verify() is one execution of the engine; how many there were is printed as they are made.
#include "tests/fuzz/engine/recipes.hpp"
#include "tests/fuzz/support/input.hpp"
#include "tests/fuzz/support/require.hpp"

namespace sluice::fuzz {
namespace {

using webhook::Request;

void stands_for_one_body(Party& party, Request request, WallTime now) {
    static std::string other;
    if (!party.covers_body()) return;
    other = request.body;
    if (other.empty()) other = " ";
    other.back() = static_cast<char>(other.back() ^ 1);
    request.body = other;
    require(party.judge(request, now).has_value(), "a signature stands for one body");
}

void try_as_it_came(Party& party, const Request& request, WallTime now) {
    if (!party.judge(request, now, /*explain=*/true)) stands_for_one_body(party, request, now);
}

void try_signed(Party& party, const Request& request, WallTime now) {
    const auto right = party.signed_anew(request, now);
    if (right && !party.judge(*right, now)) stands_for_one_body(party, *right, now);
}

/// The body under the headers that the provider would send with it.
void try_usual(Party& party, std::string_view body) {
    const auto usual = party.usual(body);
    if (!usual) return;
    const auto right = party.signed_anew(*usual, Party::usual_time);
    require(right.has_value(), "what we sign can be taken apart");
    const auto refused = party.judge(*right, Party::usual_time);
    require(!refused, "what we sign verifies", refused ? name_of(*refused) : "");
}

void try_input(std::string_view input) {
    static const Recipes recipes = read_recipes();
    static Message message;
    message.read(input, recipes.places);
    for (const auto& parties : recipes.parties) {
        Party& party = *parties[message.variant % parties.size()];
        const Request request{"POST", message.target, party.fields_of(message), message.body};
        try_as_it_came(party, request, message.now);
        try_signed(party, request, message.now);
        try_usual(party, message.body);
    }
}

}  // namespace
}  // namespace sluice::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    sluice::fuzz::try_input(sluice::fuzz::text_of(data, size));
    return 0;
}
