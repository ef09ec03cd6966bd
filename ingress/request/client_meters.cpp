#include "ingress/request/client_meters.hpp"

#include <array>

#include <boost/container/static_vector.hpp>

#include "common/crypto/random.hpp"

namespace sluice::ingress {
namespace {

using crypto::Digest;
using metering::Metered;
using metering::Rate;

// What a client is counted for. A source has a digest of its own.
const Digest connections = crypto::sha256("connections");
const Digest requests = crypto::sha256("requests");
const Digest refused = crypto::sha256("refused");

/// Both are as good as random, so what they make together is.
Metered metered(const Digest& client, const Digest& what, const Rate& rate) {
    Metered one{client, rate};
    for (std::size_t i = 0; i < one.who.size(); ++i) one.who[i] ^= what[i];
    return one;
}

Metered metered_at(const Digest& client, const Digest& what, const Digest& source, const Rate& rate) {
    return metered(metered(client, what, rate).who, source, rate);
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
    const std::array one{metered(name_of(named, client), connections, *limits_.connections)};
    return !meters_.take(one, now);
}

std::optional<ClientMeters::Over> ClientMeters::take_request(MeteredClient& client,
                                                             const network::Address& address, const Of& of,
                                                             SteadyTime now) {
    const Digest& who = name_of(client, address);
    if (limits_.refused && of.has_dear_checks)
        if (const auto wait = meters_.wait(metered_at(who, refused, of.source, *limits_.refused), now))
            return Over{"refused", *wait};
    boost::container::static_vector<Metered, 2> all;
    if (limits_.requests) all.push_back(metered(who, requests, *limits_.requests));
    if (of.limit) all.push_back(metered(who, of.source, *of.limit));
    if (const auto wait = meters_.take(all, now)) return Over{"requests", *wait};
    return std::nullopt;
}

void ClientMeters::note_refused(MeteredClient& client, const network::Address& address, const Digest& source,
                                SteadyTime now) {
    if (!limits_.refused) return;
    const std::array one{metered_at(name_of(client, address), refused, source, *limits_.refused)};
    static_cast<void>(meters_.take(one, now));
}

}  // namespace sluice::ingress
