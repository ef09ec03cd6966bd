#include "common/record/event_record.hpp"

namespace sluice::record {
namespace {

crypto::PartsDigest& parts_of_this_thread() {
    thread_local crypto::PartsDigest parts;
    return parts;
}

}  // namespace

crypto::Digest dedup_key(std::string_view provider, std::string_view principal, bool livemode,
                         std::string_view event_id) {
    crypto::PartsDigest& parts = parts_of_this_thread();
    parts.begin();
    parts.part(provider);
    parts.part(principal);
    parts.part(livemode ? "live" : "test");
    parts.part(event_id);
    return parts.finish();
}

crypto::Digest mark(const crypto::Digest& dedup_key, const crypto::Digest& content_digest) {
    crypto::PartsDigest& parts = parts_of_this_thread();
    parts.begin();
    parts.part(crypto::as_text(dedup_key));
    parts.part(crypto::as_text(content_digest));
    return parts.finish();
}

std::string ordering_key(std::string_view provider, std::string_view principal,
                         std::string_view object_or_event_id) {
    std::string key;
    write_ordering_key(key, provider, principal, object_or_event_id);
    return key;
}

void write_ordering_key(std::string& key, std::string_view provider, std::string_view principal,
                        std::string_view object_or_event_id) {
    key.clear();
    key.reserve(provider.size() + principal.size() + object_or_event_id.size() + 2);
    key.append(provider).append("/").append(principal).append("/").append(object_or_event_id);
}

}  // namespace sluice::record
