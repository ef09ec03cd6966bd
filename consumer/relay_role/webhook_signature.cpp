#include "consumer/relay_role/webhook_signature.hpp"

#include <array>

#include "common/crypto/encoding.hpp"
#include "common/crypto/hmac.hpp"

namespace sluice::consumer {

std::string webhook_signature(std::span<const Secret> keys, std::string_view id, std::string_view timestamp,
                              std::string_view body) {
    const std::array<std::string_view, 5> signed_text{id, ".", timestamp, ".", body};
    std::string all;
    for (const Secret& key : keys) {
        crypto::HmacSha256 mac{key};
        if (!all.empty()) all += ' ';
        all += "v1,";
        all += crypto::to_base64(crypto::as_text(mac(signed_text)));
    }
    return all;
}

}  // namespace sluice::consumer
