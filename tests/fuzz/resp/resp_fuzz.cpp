// Replies of Redis: our reader over hiredis', and the claim protocol over what it gives. The
// input is what a server sends to three pipelined claims, whoever it is. Promises, for any bytes:
//   - what becomes of each claim does not depend on the pieces that the bytes come in;
//   - it is what a reader of RESP2 that was written apart makes of them: the n-th claim rests on the
//     n-th reply alone, and `duplicate` comes from nothing but the very bytes of our own durable marker;
//   - a surplus reply ends the connection and never the process, and changes no claim;
//   - one claim fed with all replies asks at most four more times, within 150 ms, and then decides;
//   - no reply makes us take memory that its bytes did not bring.
#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "tests/fuzz/resp/resp_client.hpp"
#include "tests/fuzz/resp/resp_reference.hpp"
#include "tests/fuzz/support/input.hpp"
#include "tests/fuzz/support/require.hpp"
#include "tests/fuzz/support/splits.hpp"

namespace sluice::fuzz {
namespace {

using dedup::Claim;
using dedup::Reply;

constexpr std::size_t claims = Client::claims;
/// The digest whose hex digits are 00010203…1f, so that seeds can be written by hand.
constexpr crypto::Digest mark = [] {
    crypto::Digest digest{};
    for (std::size_t i = 0; i < digest.size(); ++i) digest[i] = static_cast<std::uint8_t>(i);
    return digest;
}();

std::vector<Claim> claims_of(const std::vector<Reply>& replies) {
    std::vector<Claim> result;
    for (const Reply& reply : replies) {
        require(reply.text.view().size() <= dedup::longest_text, "a reply is cut");
        const dedup::Step step = dedup::ClaimProtocol{mark}.claimed(reply);
        result.push_back(step.look_again_after ? Claim::busy : step.claim);
        require(!step.distrust_connection || step.claim == Claim::unavailable, "what is odd decides nothing");
    }
    return result;
}

constexpr std::string_view own = "D:000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

Claim expected(const RespReply& reply) {
    if (reply.kind == RespReply::Kind::nil) return Claim::fresh;
    if (reply.kind != RespReply::Kind::bulk) return Claim::unavailable;
    const std::string_view text = reply.text;
    if (text == own) return Claim::duplicate;
    const std::string_view rest = text.substr(std::min<std::size_t>(2, text.size()));
    const bool is_hex = rest.find_first_not_of("0123456789abcdef") == rest.npos;
    if (text.starts_with("D:") && rest.size() == 64 && is_hex) return Claim::conflict;
    const auto token_end =
        rest.substr(0, dedup::longest_text - 2).find_first_not_of("0123456789abcdefghijklmnopqrstuvwxyz-");
    return text.starts_with("P:") && !rest.empty() && token_end == rest.npos ? Claim::busy
                                                                             : Claim::unavailable;
}

void asks_at_most_four_times(const std::vector<Reply>& replies) {
    if (replies.empty()) return;
    dedup::ClaimProtocol protocol{mark};
    dedup::Step step = protocol.claimed(replies.front());
    std::chrono::milliseconds waited{0};
    for (std::size_t looks = 0; step.look_again_after; ++looks) {
        require(looks < 4, "a claim looks again four times at most");
        require(step.look_again_after->count() > 0, "a look is later than the one before");
        waited += *step.look_again_after;
        step = protocol.looked(replies[(looks + 1) % replies.size()]);
        require(step.claim != Claim::fresh, "a marker that went away says nothing");
    }
    require(waited <= std::chrono::milliseconds{150}, "a claim ends in 150 ms");
}

void try_replies(std::string_view bytes) {
    const RespStream stream = read_resp(bytes);
    std::vector<Claim> wanted;
    for (std::size_t i = 0; i < claims; ++i)
        wanted.push_back(i < stream.replies.size() ? expected(stream.replies[i]) : Claim::unavailable);
    std::vector<Claim> first;
    for (int round = 0; round < Splits::rounds; ++round) {
        Client client;
        for (Splits pieces{bytes, round}; !pieces.done() && client.is_up();) client.receive(pieces.next());
        require(stream.foreign || stream.replies.size() <= claims || !client.is_up(),
                "a surplus reply ends the connection");
        client.end();
        require(client.replies.size() == claims, "every claim ends once");
        const std::vector<Claim> said = claims_of(client.replies);
        if (round == 0) first = said;
        require(said == first, "claims do not depend on the pieces");
        for (std::size_t i = 0; i < claims; ++i) {
            const bool untold = stream.foreign && i >= stream.replies.size();
            require(untold || said[i] == wanted[i], "a claim rests on its own reply", name_of(said[i]));
            require(said[i] != Claim::duplicate || bytes.contains(own), "a duplicate was said to be one");
        }
        asks_at_most_four_times(client.replies);
    }
}

}  // namespace
}  // namespace sluice::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    sluice::fuzz::try_replies(sluice::fuzz::text_of(data, size));
    return 0;
}
