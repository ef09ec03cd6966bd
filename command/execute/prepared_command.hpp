#pragma once

#include <expected>
#include <memory_resource>
#include <optional>
#include <string>
#include <vector>

#include "command/config/definition.hpp"
#include "command/request/request.hpp"
#include "common/record/event_record.hpp"
#include "common/webhook/body/json_view.hpp"
#include "consumer/effects/batch/batch_run.hpp"
#include "consumer/effects/outcome/verdict.hpp"
#include "consumer/store/driver/connection.hpp"

namespace sluice::command {

/// A request as its effect sees it: an event of provider `command`, whose type is the command's name, whose
/// source and principal are the caller, and whose id is the key. It may be run several times. One thread's.
class PreparedCommand {
public:
    /// Both outlive it. `now`: the command's :received_at.
    PreparedCommand(const Definition& definition, const Request& request, WallTime now);

    /// Reads the body; first of all. Why the caller has to send another one; nullopt: all is there and within
    /// its bounds.
    [[nodiscard]] std::optional<std::string> read();

    /// For effects::BatchRun; lives as long as this.
    [[nodiscard]] effects::BatchEvent batched() const { return {headers_, {&effect_, 1}}; }
    [[nodiscard]] effects::EventBody body() const;

    /// The effect, inside the caller's transaction, within its time.
    [[nodiscard]] effects::Verdict run(store::Connection& connection) const;
    /// What `answer` gives after the effect, in the same transaction. Else why there is no response.
    [[nodiscard]] std::expected<Response, std::string> respond(const Answers::Template& answer,
                                                               store::Connection& connection) const;

    /// What `answer` gives without its SELECT, anywhere.
    [[nodiscard]] std::expected<Response, std::string> response_of(const Answers::Template& answer) const;

    [[nodiscard]] const Definition& definition() const noexcept { return definition_; }
    [[nodiscard]] const Request& request() const noexcept { return request_; }
    [[nodiscard]] const crypto::Digest& key() const noexcept { return headers_.dedup_key; }

private:
    [[nodiscard]] effects::EventView event() const;
    [[nodiscard]] std::optional<std::string> evaluate();

    const Definition& definition_;
    const effects::Effect* effect_;
    const Request& request_;
    record::EventHeaders headers_;
    webhook::JsonView json_;
    std::pmr::monotonic_buffer_resource made_;
    std::vector<store::Datum> values_;  // of the effect's `let`
};

}  // namespace sluice::command
