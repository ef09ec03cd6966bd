#include "consumer/effects/send/idempotency_key.hpp"

#include <algorithm>

#include "common/crypto/digest.hpp"

namespace sluice::effects {

Result<store::Datum> IdempotencyKey::make(const EventValues& event, std::pmr::memory_resource& made) const {
    crypto::PartsDigest digest;
    digest.begin();
    digest.part(crypto::as_text(event.headers.dedup_key));
    digest.part(crypto::as_text(event.headers.content_digest));
    digest.part(effect_);
    digest.part(std::to_string(place_));
    const crypto::Digest key = digest.finish();
    auto* kept = static_cast<char*>(made.allocate(key.size(), 1));
    std::ranges::copy(crypto::as_text(key), kept);
    return store::Datum{store::Bytes{{kept, key.size()}}};
}

}  // namespace sluice::effects
