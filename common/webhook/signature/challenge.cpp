#include "common/webhook/signature/challenge.hpp"

#include <algorithm>
#include <array>

#include "common/crypto/encoding.hpp"
#include "common/crypto/hmac.hpp"
#include "common/webhook/http/query.hpp"
#include "common/webhook/recipe/program.hpp"

namespace sluice::webhook {

bool is_challenge(std::string_view text) noexcept {
    return text.size() >= 20 && text.size() <= 32 &&
           std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

std::optional<std::string> answer_challenge(const Source& source, std::string_view target, WallTime now) {
    const Program& program = *source.program;
    if (program.challenge.empty()) return std::nullopt;
    const QueryValue found = find_in_query(target, program.challenge);
    if (found.count != 1 || !is_challenge(found.encoded)) return std::nullopt;
    const auto key = std::ranges::find_if(program.keys, [&](const Key& one) { return one.is_live(now); });
    if (key == program.keys.end()) return std::nullopt;
    const std::array pieces{found.encoded};
    return key->id + '|' + crypto::to_hex(crypto::as_text(crypto::HmacSha1(key->material)(pieces)));
}

}  // namespace sluice::webhook
