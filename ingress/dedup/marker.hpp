#pragma once

#include "common/crypto/digest.hpp"

namespace sluice::dedup {

/// What Redis is asked about one event: under which key, and which content a durable copy must have.
struct Marker {
    crypto::Digest key;   ///< record::dedup_key
    crypto::Digest mark;  ///< record::mark over the key and the content digest
};

}  // namespace sluice::dedup
