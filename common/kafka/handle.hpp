#pragma once

#include <memory>

#include <librdkafka/rdkafka.h>

/// One owner per librdkafka type; the destroy calls appear nowhere else.
namespace sluice::kafka {

template <auto Destroy>
struct Free {
    template <class T>
    void operator()(T* handle) const noexcept {
        Destroy(handle);
    }
};

template <class T, auto Destroy>
using Handle = std::unique_ptr<T, Free<Destroy>>;

/// Ends a client, and before it what renews its login.
struct EndClient {
    std::shared_ptr<void> renewal{};
    void operator()(rd_kafka_t* client) noexcept {
        renewal.reset();
        rd_kafka_destroy(client);
    }
};

using Client = std::unique_ptr<rd_kafka_t, EndClient>;
using Conf = Handle<rd_kafka_conf_t, rd_kafka_conf_destroy>;
using Topic = Handle<rd_kafka_topic_t, rd_kafka_topic_destroy>;
using TopicConf = Handle<rd_kafka_topic_conf_t, rd_kafka_topic_conf_destroy>;
using Queue = Handle<rd_kafka_queue_t, rd_kafka_queue_destroy>;
using Event = Handle<rd_kafka_event_t, rd_kafka_event_destroy>;
using Message = Handle<rd_kafka_message_t, rd_kafka_message_destroy>;
using Headers = Handle<rd_kafka_headers_t, rd_kafka_headers_destroy>;
using PartitionList = Handle<rd_kafka_topic_partition_list_t, rd_kafka_topic_partition_list_destroy>;
using Metadata = Handle<const rd_kafka_metadata_t, rd_kafka_metadata_destroy>;
using GroupList = Handle<const rd_kafka_group_list, rd_kafka_group_list_destroy>;
using ErrorHandle = Handle<rd_kafka_error_t, rd_kafka_error_destroy>;
using AdminOptions = Handle<rd_kafka_AdminOptions_t, rd_kafka_AdminOptions_destroy>;
using NewTopic = Handle<rd_kafka_NewTopic_t, rd_kafka_NewTopic_destroy>;
using ConfigResource = Handle<rd_kafka_ConfigResource_t, rd_kafka_ConfigResource_destroy>;
using TopicCollection = Handle<rd_kafka_TopicCollection_t, rd_kafka_TopicCollection_destroy>;

}  // namespace sluice::kafka
