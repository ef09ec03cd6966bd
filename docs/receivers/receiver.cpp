#include <array>
#include <charconv>
#include <map>
#include <string>
#include <vector>

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

using Headers = std::map<std::string, std::string>;  // names in lower case
using Bytes = std::vector<unsigned char>;

Bytes key_of(std::string secret) {
    secret.erase(secret.find_last_not_of("\r\n") + 1);
    if (secret.starts_with("whsec_")) secret.erase(0, 6);
    Bytes key(secret.size());
    const auto* text = reinterpret_cast<const unsigned char*>(secret.data());
    const int size = EVP_DecodeBlock(key.data(), text, static_cast<int>(secret.size()));
    if (size <= 0) return {};
    key.resize(static_cast<std::size_t>(size) - (secret.ends_with("==") ? 2 : secret.ends_with('=') ? 1 : 0));
    return key;
}

std::string signature_of(const Bytes& key, const std::string& text) {
    std::array<unsigned char, 32> mac{};
    HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
         reinterpret_cast<const unsigned char*>(text.data()), text.size(), mac.data(), nullptr);
    std::array<unsigned char, 45> base64{};
    EVP_EncodeBlock(base64.data(), mac.data(), static_cast<int>(mac.size()));
    return "v1," + std::string(base64.begin(), base64.end() - 1);
}

bool is_authentic(const Headers& headers, const std::string& body, const std::vector<std::string>& secrets,
                  long long now) {
    for (const char* name : {"webhook-id", "webhook-timestamp", "webhook-signature"})
        if (!headers.contains(name)) return false;
    const std::string& timestamp = headers.at("webhook-timestamp");
    const char* end = timestamp.data() + timestamp.size();
    long long seconds = 0;
    const auto read = std::from_chars(timestamp.data(), end, seconds);
    if (read.ec != std::errc{} || read.ptr != end || seconds < now - 300 || seconds > now + 300) return false;
    const std::string signatures = headers.at("webhook-signature") + " ";
    bool found = false;
    for (const auto& secret : secrets) {
        const Bytes key = key_of(secret);
        if (key.empty()) return false;
        const std::string mine = signature_of(key, headers.at("webhook-id") + "." + timestamp + "." + body);
        for (std::size_t at = 0, space; (space = signatures.find(' ', at)) != std::string::npos;
             at = space + 1)
            found |=
                space - at == mine.size() && CRYPTO_memcmp(&signatures[at], mine.data(), mine.size()) == 0;
    }
    return found;
}

/// The status to answer with. `db` stands for your library; its transactions roll back unless they are
/// committed. An exception is a ROLLBACK: answer 500.
template <class Database, class Work>
int receive(const Headers& headers, const std::string& body, const std::vector<std::string>& secrets,
            long long now, Database& db, Work work) {
    if (!is_authentic(headers, body, secrets, now)) return 401;
    auto transaction = db.begin();
    constexpr auto insert = "INSERT INTO received_message (id) VALUES (?) ON CONFLICT DO NOTHING";
    if (transaction.rows_of(insert, headers.at("webhook-id")) == 1) work(transaction, body);
    transaction.commit();
    return 204;
}
