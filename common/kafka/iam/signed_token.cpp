#include "common/kafka/iam/signed_token.hpp"

#include <algorithm>
#include <array>
#include <format>

#include <openssl/crypto.h>

#include "common/crypto/encoding.hpp"
#include "common/crypto/hmac.hpp"
#include "common/http/percent_encoded.hpp"

namespace sluice::kafka::iam {
namespace {

constexpr std::string_view service = "kafka-cluster";

Secret hmac(const Secret& key, std::string_view text) {
    const std::array segments{text};
    return Secret{crypto::as_text(crypto::HmacSha256{key}(segments))};
}

/// Of this day, region and service alone.
Secret signing_key(const Keys& keys, std::string_view day, std::string_view region) {
    std::string first = "AWS4";
    first.reserve(first.size() + keys.secret.bytes().size());
    first += keys.secret.bytes();
    const Secret of_account{first};
    OPENSSL_cleanse(first.data(), first.size());
    return hmac(hmac(hmac(hmac(of_account, day), region), service), "aws4_request");
}

/// In the order of the names, as what is signed must be.
std::string query_of(const Keys& keys, const std::string& scope, std::string_view time) {
    std::string query =
        "Action=" + http::percent_encoded("kafka-cluster:Connect") +
        "&X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=" + http::percent_encoded(keys.id + "/" + scope) +
        std::format("&X-Amz-Date={}", time) + std::format("&X-Amz-Expires={}", token_lifetime.count());
    if (!keys.session.empty()) query += "&X-Amz-Security-Token=" + http::percent_encoded(keys.session);
    return query + "&X-Amz-SignedHeaders=host";
}

std::string base64url(std::string_view bytes) {
    std::string text = crypto::to_base64(bytes);
    for (char& c : text) c = c == '+' ? '-' : c == '/' ? '_' : c;
    text.resize(text.find_last_not_of('=') + 1);
    return text;
}

}  // namespace

WallTime end_of_token(const Keys& keys, WallTime now) {
    const WallTime end = now + token_lifetime;
    return keys.ends ? std::min(*keys.ends, end) : end;
}

Secret signed_token(const Keys& keys, std::string_view region, WallTime now) {
    const std::string time = std::format("{:%Y%m%dT%H%M%SZ}", std::chrono::floor<std::chrono::seconds>(now));
    const std::string day = time.substr(0, 8);
    const std::string host = std::format("kafka.{}.amazonaws.com", region);
    const std::string scope = std::format("{}/{}/{}/aws4_request", day, region, service);
    const std::string query = query_of(keys, scope, time);
    const std::string request =
        "GET\n/\n" + query + "\nhost:" + host + "\n\nhost\n" + crypto::to_hex(crypto::sha256(""));
    const std::string to_sign =
        "AWS4-HMAC-SHA256\n" + time + "\n" + scope + "\n" + crypto::to_hex(crypto::sha256(request));
    const std::string signature = crypto::to_hex(hmac(signing_key(keys, day, region), to_sign).bytes());
    std::string token =
        base64url("https://" + host + "/?" + query + "&X-Amz-Signature=" + signature + "&User-Agent=sluice");
    Secret whole{token};
    OPENSSL_cleanse(token.data(), token.size());
    return whole;
}

}  // namespace sluice::kafka::iam
