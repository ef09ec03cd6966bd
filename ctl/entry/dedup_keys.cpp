#include "ctl/entry/dedup_keys.hpp"

#include <set>
#include <tuple>

#include "common/record/event_record.hpp"

namespace sluice::ctl {

std::vector<crypto::Digest> dedup_keys_of(const webhook::SourceSet& sources, const std::string& id) {
    std::set<std::tuple<std::string, std::string, bool>> origins;
    for (const auto& source : sources) {
        for (const bool livemode : {false, true})
            origins.emplace(source->provider, source->principal, livemode);
    }
    std::vector<crypto::Digest> keys;
    for (const auto& [provider, principal, livemode] : origins) {
        keys.push_back(record::dedup_key(provider, principal, livemode, id));
    }
    return keys;
}

}  // namespace sluice::ctl
