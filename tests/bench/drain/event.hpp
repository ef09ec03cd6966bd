#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include <librdkafka/rdkafka.h>
#include <simdjson.h>

/// The consumer's floor: reading the topic and writing batches with nothing around them.
namespace sluice::bench {

/// What the floor takes from a record: the inbox's columns and what the effects need. The texts are the
/// record's, so they live as long as it does.
struct Event {
    std::array<char, 32> dedup_key{};
    std::array<char, 32> digest{};
    std::string_view day;
    std::string_view id;
    std::string_view type;
    std::string_view source;
    std::string_view object_key;
    std::string_view received_at;
    std::string customer;
    std::string object;  ///< JSON of what the event is about
    std::int64_t amount = 0;
    std::int32_t partition = 0;
    std::int64_t offset = 0;
    std::string_view body;
};

/// Reads records that sluice-ingress wrote. One per thread.
class EventReader {
public:
    /// Throws std::runtime_error on a record that is none of the ingress's.
    [[nodiscard]] Event read(const rd_kafka_message_t& record);

private:
    simdjson::dom::parser parser_;
};

}  // namespace sluice::bench
