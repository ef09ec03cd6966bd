#include "ingress/spill/spilled_record.hpp"

#include "common/record/packed_values.hpp"

namespace sluice::spill {
namespace {

v1::SpilledRecord::Topic word_of(publish::Topic topic) {
    switch (topic) {
        case publish::Topic::events:
            return v1::SpilledRecord::TOPIC_EVENTS;
        case publish::Topic::quarantine:
            return v1::SpilledRecord::TOPIC_QUARANTINE;
        case publish::Topic::originals:
            break;
    }
    return v1::SpilledRecord::TOPIC_ORIGINALS;
}

std::optional<publish::Topic> topic_of(v1::SpilledRecord::Topic word) {
    switch (word) {
        case v1::SpilledRecord::TOPIC_EVENTS:
            return publish::Topic::events;
        case v1::SpilledRecord::TOPIC_QUARANTINE:
            return publish::Topic::quarantine;
        case v1::SpilledRecord::TOPIC_ORIGINALS:
            return publish::Topic::originals;
        default:
            return std::nullopt;
    }
}

}  // namespace

std::string payload_of(const publish::Record& record) {
    v1::SpilledRecord message;
    message.set_topic(word_of(record.topic));
    message.set_key(record.key.data(), record.key.size());
    message.set_value(record.value.data(), record.value.size());
    for (const auto& [name, value] : record.headers) {
        auto& header = *message.add_headers();
        header.set_name(name.data(), name.size());
        header.set_value(value.data(), value.size());
    }
    if (record.marker) {
        message.set_marker_key(std::string{crypto::as_text(record.marker->key)});
        message.set_marker_mark(std::string{crypto::as_text(record.marker->mark)});
    }
    return message.SerializeAsString();
}

std::optional<SpilledRecord> SpilledRecord::from(std::string_view payload) {
    SpilledRecord read;
    if (!read.message_.ParseFromArray(payload.data(), static_cast<int>(payload.size()))) return std::nullopt;
    const auto topic = topic_of(read.message_.topic());
    if (!topic) return std::nullopt;
    read.topic_ = *topic;
    return read;
}

publish::Record SpilledRecord::record() {
    headers_.clear();
    for (const auto& header : message_.headers()) headers_.push_back({header.name(), header.value()});
    publish::Record record{topic_, message_.key(), message_.value(), headers_, std::nullopt};
    const auto key = record::packed_digest(message_.marker_key());
    const auto mark = record::packed_digest(message_.marker_mark());
    if (key && mark) record.marker = {*key, *mark};
    return record;
}

}  // namespace sluice::spill
