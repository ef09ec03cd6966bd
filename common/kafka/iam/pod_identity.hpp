#pragma once

#include <expected>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "common/kafka/iam/https.hpp"
#include "common/kafka/iam/signed_token.hpp"

namespace sluice::kafka::iam {

/// Who this pod is to AWS, by the variables that EKS sets ("AWS SDKs and Tools Reference Guide": container
/// credentials; assume role with web identity). Their values are read at each use, since files change.
struct PodIdentity {
    std::string agent;       ///< AWS_CONTAINER_CREDENTIALS_FULL_URI: EKS Pod Identity
    std::string token_file;  ///< AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE, else AWS_WEB_IDENTITY_TOKEN_FILE
    std::string role;        ///< AWS_ROLE_ARN: IRSA, where there is no agent
    std::string sts;         ///< AWS_ENDPOINT_URL_STS, else STS of the region
};

/// Of this process. What is missing, in a sentence.
[[nodiscard]] std::expected<PodIdentity, std::string> pod_identity(std::string_view region);

/// What to ask for the keys. What is wrong, in a sentence: a file that cannot be read, an agent that is
/// neither on this host, nor EKS's own address, nor reached by https.
[[nodiscard]] std::expected<Request, std::string> request_for_keys(const PodIdentity& identity);

/// From an agent's JSON, or from the XML of STS. Nothing when either lacks what it must have.
[[nodiscard]] std::optional<Keys> keys_from(std::string_view answer);

}  // namespace sluice::kafka::iam
