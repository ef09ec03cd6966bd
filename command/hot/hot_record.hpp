#pragma once

#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "command/request/request.hpp"
#include "common/clock.hpp"
#include "common/record/event_record.hpp"

/// A command on its way through Kafka: the key of the record is the account, the value is the body, and the
/// headers say the rest. Pure.
namespace sluice::command {

/// One that goes out. Its memory is what the views show; so it stays where it is.
class OutgoingCommand {
public:
    /// `request` outlives it.
    OutgoingCommand(const Request& request, std::string account, WallTime accepted_at);
    OutgoingCommand(const OutgoingCommand&) = delete;
    OutgoingCommand& operator=(const OutgoingCommand&) = delete;

    [[nodiscard]] std::string_view account() const noexcept { return account_; }
    [[nodiscard]] std::span<const record::HeaderView> headers() const noexcept { return headers_; }

private:
    const std::string account_;
    const std::string fingerprint_;
    const std::string accepted_at_;
    std::vector<record::HeaderView> headers_;
};

/// The request that a record has, with `accepted_at`. Else the sentence that says which header is missing or
/// malformed.
[[nodiscard]] std::expected<Request, std::string> request_in(std::span<const record::HeaderView> headers,
                                                             std::string_view body);

}  // namespace sluice::command
