#include "consumer/destination/webhook_signature.hpp"

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

std::vector<Secret> signing_keys(std::span<const config::SecretReference> secrets,
                                 config::Problems& problems) {
    constexpr std::string_view prefix = "whsec_";
    std::vector<Secret> keys;
    for (const auto& reference : secrets) {
        const Secret secret = config::resolve(reference, problems);
        std::string_view text = secret.bytes();
        if (text.starts_with(prefix)) text.remove_prefix(prefix.size());
        auto bytes = crypto::from_base64(text);
        if (!bytes || bytes->empty())
            problems.add(reference.place,
                         reference.text() + " must hold whsec_ and base64, as Standard Webhooks has it");
        else
            keys.emplace_back(*bytes);
    }
    return keys;
}

}  // namespace sluice::consumer
