#include "common/record/marker_key.hpp"

#include <format>

#include "common/crypto/digest.hpp"
#include "common/crypto/encoding.hpp"

namespace sluice::record {

std::string marker_epoch(std::string_view cluster_id, std::string_view topic_id, std::int64_t bump) {
    crypto::PartsDigest digest;
    digest.begin();
    digest.part(cluster_id);
    digest.part(topic_id);
    digest.part(std::to_string(bump));
    return crypto::to_hex(digest.finish()).substr(0, 16);
}

std::string marker_key(std::string_view epoch, std::string_view dedup_key_in_hex) {
    return std::format("wh:{}:{}", epoch, dedup_key_in_hex);
}

}  // namespace sluice::record
