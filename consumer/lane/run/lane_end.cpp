#include "consumer/lane/run/lane_end.hpp"

#include "common/record/header_bytes.hpp"
#include "consumer/store/inbox/effect_names.hpp"

namespace sluice::consumer {

std::pair<std::vector<Coordinates>, std::vector<AppliedOffset>> offsets_of(const Partitions& partitions,
                                                                           const Coordinates& at, bool owes) {
    std::vector<Coordinates> applied;
    if (!owes) applied.push_back(at);
    auto offsets = partitions.offsets_with(applied);
    return {std::move(applied), std::move(offsets)};
}

RecordToKeep::RecordToKeep(const Item& item, std::string_view topic)
    : item_{item}, topic_{topic}, headers_{record::header_bytes(item.record.headers).value_or("")} {}

store::LaneRecord RecordToKeep::row() const {
    store::LaneRecord record{.inbox = std::nullopt,
                             .topic = topic_,
                             .partition = item_.record.at.partition,
                             .offset = item_.record.at.offset,
                             .appended_at = item_.record.appended_at,
                             .headers = headers_,
                             .body = item_.record.value};
    if (item_.decoded) record.inbox = inbox_key(item_);
    if (item_.payment) {
        record.reference = item_.payment->reference;
        record.transaction = item_.payment->transaction;
    }
    return record;
}

std::vector<std::string> effects_to_keep(const Item& item, const Rules& rules) {
    if (!item.decoded) return {};
    if (!has_source_of(item, rules.sources)) return store::not_matched_yet();
    return names_of(effects_for(item, rules));
}

std::vector<std::string> effects_to_keep(const Item& item, const Rules& rules, std::string_view edited_body) {
    if (!item.decoded) return {};
    if (!has_source_of(item, rules.sources)) return store::not_matched_yet();
    return names_of(effects_for(item, rules, edited_body));
}

std::vector<std::string> names_of(std::span<const effects::Effect* const> effects) {
    std::vector<std::string> names;
    for (const effects::Effect* effect : effects) names.push_back(effect->name());
    return names;
}

}  // namespace sluice::consumer
