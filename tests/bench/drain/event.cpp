#include "tests/bench/drain/event.hpp"

#include <stdexcept>

namespace sluice::bench {
namespace {

std::string_view header(const rd_kafka_headers_t& headers, const char* name) {
    const void* value = nullptr;
    std::size_t size = 0;
    if (rd_kafka_header_get_last(&headers, name, &value, &size) != RD_KAFKA_RESP_ERR_NO_ERROR)
        throw std::runtime_error{std::string{"a record without "} + name};
    return {static_cast<const char*>(value), size};
}

int nibble(char c) {
    return c <= '9' ? c - '0' : c - 'a' + 10;
}

std::array<char, 32> from_hex(std::string_view hex) {
    std::array<char, 32> bytes{};
    if (hex.size() != 2 * bytes.size()) throw std::runtime_error{"a digest of another length"};
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<char>(nibble(hex[2 * i]) * 16 + nibble(hex[2 * i + 1]));
    return bytes;
}

}  // namespace

Event EventReader::read(const rd_kafka_message_t& record) {
    rd_kafka_headers_t* headers = nullptr;
    if (rd_kafka_message_headers(&record, &headers) != RD_KAFKA_RESP_ERR_NO_ERROR)
        throw std::runtime_error{"a record without headers"};
    Event event;
    event.dedup_key = from_hex(header(*headers, "sluice-dedup-key"));
    event.digest = from_hex(header(*headers, "sluice-digest"));
    event.day = header(*headers, "sluice-event-day");
    event.id = header(*headers, "ce_id");
    event.type = header(*headers, "ce_type");
    event.source = header(*headers, "sluice-source");
    event.received_at = header(*headers, "sluice-received-at");
    event.object_key = {static_cast<const char*>(record.key), record.key_len};
    event.partition = record.partition;
    event.offset = record.offset;
    event.body = {static_cast<const char*>(record.payload), record.len};
    const simdjson::dom::element object =
        parser_.parse(event.body.data(), event.body.size())["data"]["object"];
    event.customer = std::string_view{object["customer"]};
    event.amount = object["amount"];
    event.object = simdjson::minify(object);
    return event;
}

}  // namespace sluice::bench
