#pragma once

#include <map>
#include <string>

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

namespace sluice::v1 {

/// Field number to "type name", of one message type.
[[nodiscard]] inline std::map<int, std::string> fields_of(const google::protobuf::Descriptor& type) {
    std::map<int, std::string> fields;
    for (int i = 0; i < type.field_count(); ++i) {
        const auto* const field = type.field(i);
        const auto* const message = field->message_type();
        const std::string kind = message == nullptr ? field->type_name() : message->name();
        fields.emplace(field->number(), kind + " " + field->name());
    }
    return fields;
}

/// A field that no message of ours has: number 1000, a string.
inline const std::string from_the_future{"\xc2\x3e\x05later", 8};

}  // namespace sluice::v1
