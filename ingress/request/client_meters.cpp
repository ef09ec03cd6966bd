#include "ingress/request/client_meters.hpp"

#include <array>
#include <initializer_list>

#include <boost/container/static_vector.hpp>

#include "common/crypto/random.hpp"

namespace sluice::ingress {
namespace {

using crypto::Digest;
using metering::Metered;

// What a client is counted for. A source has a digest of its own.
const Digest connections = crypto::sha256("connections");
const Digest requests = crypto::sha256("requests");
const Digest refused = crypto::sha256("refused");
const Digest strangers = crypto::sha256("strangers");
const Digest known = crypto::sha256("known");

// Longer than providers are silent, as a rule, that send at all.
constexpr std::chrono::hours known_for{1};

/// They are as good as random, so what they make together is.
Digest together(Digest one, std::initializer_list<Digest> others) {
    for (const Digest& other : others)
        for (std::size_t i = 0; i < one.size(); ++i) one[i] ^= other[i];
    return one;
}

std::string_view text_of(const network::Address& address) {
    return {reinterpret_cast<const char*>(address.bytes().data()), address.bytes().size()};
}

}  // namespace

ClientMeters::ClientMeters(const config::ClientLimits& limits, Metrics& metrics)
    : limits_{limits},
      secret_{crypto::sha256(crypto::random_hex(32))},
      meters_{metrics.counter("sluice_ingress_limits_forgotten_total",
                              "Clients whose limit was forgotten too early, since there were too many")} {}

const Digest& ClientMeters::name_of(MeteredClient& client, const network::Address& address) const {
    const network::Address prefix = address.client_prefix();
    if (client.prefix == prefix) return client.who;
    client.prefix = prefix;
    std::string bytes{crypto::as_text(secret_)};
    client.who = crypto::sha256(bytes.append(text_of(prefix)));
    return client.who;
}

bool ClientMeters::take_connection(const network::Address& client, SteadyTime now) {
    if (!limits_.connections) return true;
    MeteredClient named;
    const std::array one{Metered{together(name_of(named, client), {connections}), *limits_.connections}};
    return !meters_.take(one, now);
}

std::optional<ClientMeters::Over> ClientMeters::take_request(MeteredClient& client,
                                                             const network::Address& address, const Of& of,
                                                             SteadyTime now) {
    const Digest& who = name_of(client, address);
    if (of.has_dear_checks)
        if (const auto over = over_of_dear_checks(who, of.source, now)) return over;
    boost::container::static_vector<Metered, 2> all;
    if (limits_.requests) all.push_back({together(who, {requests}), *limits_.requests});
    if (of.limit) all.push_back({together(who, {of.source}), *of.limit});
    if (const auto wait = meters_.take(all, now)) return Over{"requests", *wait};
    return std::nullopt;
}

std::optional<ClientMeters::Over> ClientMeters::over_of_dear_checks(const Digest& who, const Digest& source,
                                                                    SteadyTime now) {
    if (limits_.refused)
        if (const auto wait = meters_.wait({together(who, {refused, source}), *limits_.refused}, now))
            return Over{"refused", *wait};
    if (limits_.strangers && !meters_.remembers(together(who, {known, source}), now))
        if (const auto wait = meters_.wait({together(strangers, {source}), *limits_.strangers}, now))
            return Over{"strangers", *wait};
    return std::nullopt;
}

void ClientMeters::note_authentic(MeteredClient& client, const network::Address& address,
                                  const Digest& source, SteadyTime now) {
    if (limits_.strangers)
        meters_.remember(together(name_of(client, address), {known, source}), now + known_for, now);
}

bool ClientMeters::note_refused(MeteredClient& client, const network::Address& address, const Digest& source,
                                SteadyTime now) {
    const Digest& who = name_of(client, address);
    boost::container::static_vector<Metered, 2> all;
    if (limits_.refused) all.push_back({together(who, {refused, source}), *limits_.refused});
    if (limits_.strangers && !meters_.remembers(together(who, {known, source}), now))
        all.push_back({together(strangers, {source}), *limits_.strangers});
    return !meters_.take(all, now);
}

}  // namespace sluice::ingress
