#include <algorithm>
#include <cstdint>

#include <google/protobuf/io/coded_stream.h>

#include "common/record/packed_header.hpp"
#include "common/record/trust_words.hpp"
#include "proto/event_header.pb.h"

namespace sluice::record {
namespace {

using google::protobuf::Timestamp;
using google::protobuf::io::CodedOutputStream;
using Wire = v1::EventHeader;
using HttpWire = v1::EventHeader::HttpField;

constexpr std::size_t most_beside_a_text = 2 + 5;  // its tag and its length
constexpr std::size_t most_of_a_number = 2 + 10;
constexpr std::size_t most_of_a_time = 2 + 1 + 2 * most_of_a_number;

std::size_t size_of_text(std::string_view text) {
    const auto size = static_cast<std::uint32_t>(text.size());
    return 1 + CodedOutputStream::VarintSize32(size) + size;
}

/// Writes fields one after the other, into room that is large enough.
class PackedWriter {
public:
    explicit PackedWriter(char* room) : at_{reinterpret_cast<std::uint8_t*>(room)} {}

    void number(int field, std::uint64_t value) {
        tag(field, 0);
        at_ = CodedOutputStream::WriteVarint64ToArray(value, at_);
    }
    void signed_number(int field, std::int64_t value) { number(field, static_cast<std::uint64_t>(value)); }
    void text(int field, std::string_view value) {
        begin(field, value.size());
        at_ = CodedOutputStream::WriteRawToArray(value.data(), static_cast<int>(value.size()), at_);
    }
    void text_unless_empty(int field, std::string_view value) {
        if (!value.empty()) text(field, value);
    }
    void time(int field, WallTime time);
    void http(int field, std::string_view name, std::string_view value);

    [[nodiscard]] std::size_t size_since(const char* room) const {
        return static_cast<std::size_t>(at_ - reinterpret_cast<const std::uint8_t*>(room));
    }

private:
    void tag(int field, std::uint32_t kind) {
        at_ = CodedOutputStream::WriteVarint32ToArray(static_cast<std::uint32_t>(field) << 3 | kind, at_);
    }
    void begin(int field, std::size_t size) {
        tag(field, 2);
        at_ = CodedOutputStream::WriteVarint32ToArray(static_cast<std::uint32_t>(size), at_);
    }

    std::uint8_t* at_;
};

void PackedWriter::time(int field, WallTime time) {
    const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
    const auto whole = static_cast<std::uint64_t>(seconds.time_since_epoch().count());
    const auto nanos = static_cast<std::uint64_t>(std::chrono::nanoseconds{time - seconds}.count());
    begin(field, 2 + CodedOutputStream::VarintSize64(whole) + CodedOutputStream::VarintSize64(nanos));
    number(Timestamp::kSecondsFieldNumber, whole);
    number(Timestamp::kNanosFieldNumber, nanos);
}

void PackedWriter::http(int field, std::string_view name, std::string_view value) {
    begin(field, size_of_text(name) + size_of_text(value));
    text(HttpWire::kNameFieldNumber, name);
    text(HttpWire::kValueFieldNumber, value);
}

std::size_t most_packed(const EventHeaders& event) {
    constexpr std::size_t digests = 3 * (most_beside_a_text + sizeof(crypto::Digest));
    constexpr std::size_t texts = 10 * most_beside_a_text;
    constexpr std::size_t numbers = 4 * most_of_a_number + 2 * most_of_a_time;
    std::size_t size = digests + texts + numbers + event.source.size() + event.provider.size() +
                       event.principal.size() + event.event_id.size() + event.type.size() +
                       event.object.size() + event.content_type.size() + event.key_id.size() +
                       event.keys.size() + event.client.size();
    for (const auto& [name, value] : event.http) size += 3 * most_beside_a_text + name.size() + value.size();
    return size;
}

void write_identity(PackedWriter& to, const EventHeaders& event) {
    to.text(Wire::kSourceFieldNumber, event.source);
    to.text(Wire::kProviderFieldNumber, event.provider);
    to.text(Wire::kPrincipalFieldNumber, event.principal);
    to.number(Wire::kLivemodeFieldNumber, event.livemode ? 1 : 0);
    to.text(Wire::kEventIdFieldNumber, event.event_id);
    to.text(Wire::kTypeFieldNumber, event.type);
    to.text_unless_empty(Wire::kObjectFieldNumber, event.object);
}

void write_content(PackedWriter& to, const EventHeaders& event) {
    if (event.occurred_at) to.time(Wire::kOccurredAtFieldNumber, *event.occurred_at);
    to.time(Wire::kReceivedAtFieldNumber, event.received_at);
    to.text(Wire::kContentTypeFieldNumber, event.content_type);
    to.text(Wire::kDedupKeyFieldNumber, crypto::as_text(event.dedup_key));
    to.text(Wire::kContentDigestFieldNumber, crypto::as_text(event.content_digest));
    to.signed_number(Wire::kEventDayFieldNumber, event.event_day.time_since_epoch().count());
}

void write_signature(PackedWriter& to, const EventHeaders& event) {
    to.text(Wire::kKeyIdFieldNumber, event.key_id);
    for (const auto& [name, value] : event.http) to.http(Wire::kHttpFieldNumber, name, value);
    to.text_unless_empty(Wire::kKeysFieldNumber, event.keys);
    // A word that is not known gets a number that is not known: it does not become full trust.
    if (!event.trust.empty())
        to.signed_number(Wire::kTrustFieldNumber,
                         std::ranges::find(trust_words, event.trust) - trust_words.begin());
    if (event.item) to.number(Wire::kItemFieldNumber, *event.item);
    if (event.original) to.text(Wire::kOriginalFieldNumber, crypto::as_text(*event.original));
    to.text_unless_empty(Wire::kClientFieldNumber, event.client);
}

}  // namespace

void append_packed(std::string& text, const EventHeaders& event) {
    const std::size_t before = text.size();
    text.resize_and_overwrite(before + most_packed(event), [&](char* bytes, std::size_t) {
        PackedWriter to{bytes + before};
        write_identity(to, event);
        write_content(to, event);
        write_signature(to, event);
        return before + to.size_since(bytes + before);
    });
}

}  // namespace sluice::record
