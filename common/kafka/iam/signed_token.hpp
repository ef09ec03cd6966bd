#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "common/clock.hpp"
#include "common/secret.hpp"

namespace sluice::kafka::iam {

/// What AWS gives a pod for its role: temporary, so with a session.
struct Keys {
    std::string id;
    Secret secret;
    std::string session;           ///< empty: none
    std::optional<WallTime> ends;  ///< of the keys, and so of a token signed by them; empty: not said
};

/// How long a broker of MSK accepts a token, from its signing on.
constexpr std::chrono::seconds token_lifetime{900};

/// The token that MSK takes by OAUTHBEARER: the URL of `kafka-cluster:Connect` in `region`, signed by these
/// keys (AWS Signature Version 4, in the query), in base64url without padding. As aws-msk-iam-sasl-signer
/// makes it.
[[nodiscard]] Secret signed_token(const Keys& keys, std::string_view region, WallTime now);

/// When a token that is signed now ends: with its keys, if they go before.
[[nodiscard]] WallTime end_of_token(const Keys& keys, WallTime now);

}  // namespace sluice::kafka::iam
