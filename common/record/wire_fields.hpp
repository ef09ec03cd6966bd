#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <google/protobuf/io/coded_stream.h>

namespace sluice::record {

/// One field of a protobuf message as it is on the wire.
struct WireField {
    enum class Kind {
        number,  ///< a varint, 64 bits
        text,    ///< what has a length: text, bytes, a message
        other,   ///< fixed size: no field of ours
    };
    int number = 0;
    Kind kind = Kind::other;
    std::uint64_t value = 0;
    std::string_view text{};  ///< a view of the message
};

/// The fields of one message, in the order of its bytes, without copying any. Groups are malformed: nothing
/// writes them.
class WireFields {
public:
    explicit WireFields(std::string_view message);

    /// nullopt at the end, and at what is no field.
    [[nodiscard]] std::optional<WireField> next();
    /// Whether `next` came to the end of a well-formed message.
    [[nodiscard]] bool was_whole() { return !broken_ && in_.ConsumedEntireMessage(); }

private:
    [[nodiscard]] bool read_text(std::string_view& text);
    [[nodiscard]] bool read_value(std::uint32_t tag, WireField& field);

    std::string_view message_;
    google::protobuf::io::CodedInputStream in_;
    bool broken_ = false;
};

}  // namespace sluice::record
