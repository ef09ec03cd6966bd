#include "common/kafka/iam/pod_identity.hpp"

#include <array>
#include <cstdlib>
#include <format>
#include <utility>

#include <openssl/crypto.h>
#include <nlohmann/json.hpp>

#include "common/config/whole_file.hpp"
#include "common/http/percent_encoded.hpp"
#include "common/time_text.hpp"

namespace sluice::kafka::iam {
namespace {

constexpr std::size_t longest_token = 32 * 1024;

std::string variable(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
}

/// The token of the pod goes there, so in clear text to this host alone, or to the addresses of EKS's agent.
bool is_safe(std::string_view url) {
    if (url.starts_with("https://")) return true;
    constexpr std::array local{"http://127.0.0.1", "http://localhost", "http://169.254.170.23",
                               "http://[fd00:ec2::23]"};
    for (const std::string_view host : local) {
        if (!url.starts_with(host)) continue;
        url.remove_prefix(host.size());
        return (url.empty() || url.starts_with(':') || url.starts_with('/')) && !url.contains('@');
    }
    return false;
}

std::expected<Secret, std::string> token_in(const std::string& file) {
    auto text = config::read_whole_file(file, longest_token);
    if (!text) return std::unexpected(file + " cannot be read");
    const std::string_view whole = *text;
    Secret token{whole.substr(0, whole.find_last_not_of("\r\n") + 1)};
    OPENSSL_cleanse(text->data(), text->size());
    if (token.empty()) return std::unexpected(file + " is empty");
    return token;
}

/// AssumeRoleWithWebIdentity is not signed: the token says who asks.
Secret form_of(const std::string& role, const Secret& token) {
    std::string encoded = http::percent_encoded(token.bytes());
    std::string form = std::format(
        "Action=AssumeRoleWithWebIdentity&Version=2011-06-15&RoleSessionName=sluice&RoleArn={}&"
        "WebIdentityToken={}",
        http::percent_encoded(role), encoded);
    Secret whole{form};
    OPENSSL_cleanse(encoded.data(), encoded.size());
    OPENSSL_cleanse(form.data(), form.size());
    return whole;
}

std::string_view between(std::string_view text, std::string_view name) {
    const std::string open = std::format("<{}>", name);
    const std::size_t begin = text.find(open);
    if (begin == std::string_view::npos) return {};
    const std::size_t end = text.find(std::format("</{}>", name), begin);
    return end == std::string_view::npos ? "" : text.substr(begin + open.size(), end - begin - open.size());
}

/// Taken out of the object: nothing of it stays behind there.
Secret text_of(nlohmann::json& object, const char* name) {
    const auto found = object.find(name);
    if (found == object.end() || !found->is_string()) return {};
    auto& text = found->get_ref<std::string&>();
    Secret taken{text};
    OPENSSL_cleanse(text.data(), text.size());
    return taken;
}

Keys made_of(std::string_view id, Secret secret, std::string_view session, std::string_view ends) {
    return {.id = std::string{id},
            .secret = std::move(secret),
            .session = std::string{session},
            .ends = from_rfc3339(ends)};
}

Keys keys_of(std::string_view answer) {
    auto json = nlohmann::json::parse(answer, nullptr, false);
    if (json.is_object())
        return made_of(text_of(json, "AccessKeyId").bytes(), text_of(json, "SecretAccessKey"),
                       text_of(json, "Token").bytes(), text_of(json, "Expiration").bytes());
    return made_of(between(answer, "AccessKeyId"), Secret{between(answer, "SecretAccessKey")},
                   between(answer, "SessionToken"), between(answer, "Expiration"));
}

/// China is a partition of its own. (MSK's signed URL is the same everywhere.)
std::string sts_of(std::string_view region) {
    return std::format("https://sts.{}.amazonaws.com{}/", region, region.starts_with("cn-") ? ".cn" : "");
}

}  // namespace

std::expected<PodIdentity, std::string> pod_identity(std::string_view region) {
    PodIdentity identity{.agent = variable("AWS_CONTAINER_CREDENTIALS_FULL_URI"),
                         .token_file = variable("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"),
                         .role = variable("AWS_ROLE_ARN"),
                         .sts = variable("AWS_ENDPOINT_URL_STS")};
    if (!identity.agent.empty()) return identity;
    identity.token_file = variable("AWS_WEB_IDENTITY_TOKEN_FILE");
    if (identity.sts.empty()) identity.sts = sts_of(region);
    if (!identity.token_file.empty() && !identity.role.empty()) return identity;
    return std::unexpected(
        "this process has no AWS identity: neither AWS_CONTAINER_CREDENTIALS_FULL_URI (EKS Pod Identity) nor "
        "AWS_WEB_IDENTITY_TOKEN_FILE and AWS_ROLE_ARN (a role of the ServiceAccount) are set");
}

std::expected<Request, std::string> request_for_keys(const PodIdentity& identity) {
    const std::string& url = identity.agent.empty() ? identity.sts : identity.agent;
    if (!is_safe(url)) return std::unexpected(url + " must be https, or of this host: a token is sent there");
    if (identity.token_file.empty()) return Request{.url = url, .authorization = {}, .form = {}};
    auto token = token_in(identity.token_file);
    if (!token) return std::unexpected(std::move(token.error()));
    if (!identity.agent.empty()) return Request{.url = url, .authorization = std::move(*token), .form = {}};
    return Request{.url = url, .authorization = {}, .form = form_of(identity.role, *token)};
}

std::optional<Keys> keys_from(std::string_view answer) {
    Keys keys = keys_of(answer);
    if (keys.id.empty() || keys.secret.empty()) return std::nullopt;
    return keys;
}

}  // namespace sluice::kafka::iam
