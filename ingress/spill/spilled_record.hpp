#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingress/publish/publisher.hpp"
#include "proto/spilled_record.pb.h"

namespace sluice::spill {

/// The payload of a frame (proto/spilled_record.proto).
[[nodiscard]] std::string payload_of(const publish::Record& record);

/// A record that was read back, with its own memory.
class SpilledRecord {
public:
    /// nullopt: it is none of ours.
    [[nodiscard]] static std::optional<SpilledRecord> from(std::string_view payload);

    /// Its views live as long as this, and until the next call.
    [[nodiscard]] publish::Record record();
    [[nodiscard]] const std::string& key() const { return message_.key(); }
    [[nodiscard]] publish::Topic topic() const noexcept { return topic_; }

private:
    v1::SpilledRecord message_;
    publish::Topic topic_{};
    std::vector<record::HeaderView> headers_;
};

}  // namespace sluice::spill
