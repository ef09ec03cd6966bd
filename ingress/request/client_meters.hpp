#pragma once

#include <optional>
#include <string_view>

#include "common/config/settings/connections.hpp"
#include "common/crypto/digest.hpp"
#include "common/metering/meters.hpp"
#include "common/network/address.hpp"
#include "common/telemetry/metrics.hpp"

namespace sluice::ingress {

/// Who a connection's requests are counted under: a client, as the meters know it. Made again only where the
/// client is another one.
struct MeteredClient {
    std::optional<network::Address> prefix{};
    crypto::Digest who{};
};

/// What clients take of one process, against `listen.limits` and `sources[].limits.client`. A client is an
/// IPv4 address, or the /64 of an IPv6 one. Where a trusted proxy does not name the client
/// (`forwarded`), it counts the proxy. Thread-safe; one for the process.
class ClientMeters {
public:
    ClientMeters(const config::ClientLimits& limits, Metrics& metrics);

    /// Counts a new connection; false: it is one too many.
    [[nodiscard]] bool take_connection(const network::Address& client, SteadyTime now);

    /// Whether requests are counted at all; `own`: the source's limit.
    [[nodiscard]] bool counts_requests(const std::optional<metering::Rate>& own) const noexcept {
        return limits_.requests || limits_.refused || limits_.strangers || own;
    }

    /// Whether wrong signatures are.
    [[nodiscard]] bool counts_checks() const noexcept { return limits_.refused || limits_.strangers; }

    /// Why a request is not taken now.
    struct Over {
        std::string_view limit;  ///< "refused", "strangers" or "requests"
        SteadyTime::duration wait;
    };
    struct Of {
        const crypto::Digest& source;  ///< Route::metered
        const std::optional<metering::Rate>& limit;
        bool has_dear_checks;
    };
    /// Counts a request before anything dear is done for it, under all its limits or, where one of them is
    /// spent, under none.
    [[nodiscard]] std::optional<Over> take_request(MeteredClient& client, const network::Address& address,
                                                   const Of& of, SteadyTime now);
    /// Of a source whose checks are dear: a request of the client to it was authentic.
    void note_authentic(MeteredClient& client, const network::Address& address, const crypto::Digest& source,
                        SteadyTime now);
    /// The signature of a request to this source was wrong. False: the client, or all strangers together,
    /// sent too many of them.
    [[nodiscard]] bool note_refused(MeteredClient& client, const network::Address& address,
                                    const crypto::Digest& source, SteadyTime now);

private:
    [[nodiscard]] std::optional<Over> over_of_dear_checks(const crypto::Digest& who,
                                                          const crypto::Digest& source, SteadyTime now);
    [[nodiscard]] const crypto::Digest& name_of(MeteredClient& client, const network::Address& address) const;

    const config::ClientLimits limits_;
    const crypto::Digest secret_;  // keeps clients from choosing addresses that share a place
    metering::Meters meters_;
};

}  // namespace sluice::ingress
