#pragma once

#include <string>
#include <variant>
#include <vector>

#include "common/clock.hpp"
#include "common/config/section.hpp"
#include "common/config/settings/connections.hpp"
#include "common/network/address.hpp"

/// Where messages of effects go: `destinations:` of the file.
namespace sluice::destination {

/// A topic of the cluster in `kafka:`.
struct Topic {
    std::string name;
};

/// A URL that gets each message as a POST, signed by Standard Webhooks where there are secrets.
struct Url {
    std::string url;  ///< http:// or https://
    /// Each of "whsec_" and base64, as Standard Webhooks has them. All sign, so that one can be rolled.
    std::vector<config::SecretReference> secrets;
    std::vector<network::Block> allowed;  ///< of what is not public (common/network/public_address.hpp)
    std::string ca_file;                  ///< empty: the system's
    Milliseconds timeout{10'000};         ///< of one attempt
    int concurrency = 16;                 ///< requests at once, of one relay
    Milliseconds horizon{std::chrono::days{3}};  ///< a message that is tried for longer is refused
};

struct Destination {
    std::string name;  ///< 1 to 28 letters, digits, - and _; messages in the outbox keep it
    std::variant<Topic, Url> to;
};

/// `outbox:`: for how long what was sent or skipped is kept.
struct OutboxSettings {
    Milliseconds keep{std::chrono::days{7}};
};
[[nodiscard]] OutboxSettings read_outbox(const config::Document& document);

/// In file order. Problems name file and line: a name that is none, no kind or two, a URL that is none, a
/// block that is none. A URL without secrets is
/// a warning. Secrets are resolved by the relay alone.
[[nodiscard]] std::vector<Destination> read_destinations(const config::Document& document);

/// A topic of sluice's own in `kafka:` is a problem: what is sent there would be read as webhooks or
/// commands.
void refuse_own_topics(const std::vector<Destination>& destinations, const config::KafkaSettings& kafka,
                       const config::Document& document);

/// As the file has them, right or not: for those who name one.
struct Names {
    std::vector<std::string> all;
    std::vector<std::string> urls;  ///< of `all`
};
[[nodiscard]] Names destination_names(const config::Document& document);

}  // namespace sluice::destination
