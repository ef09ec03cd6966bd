#pragma once

#include <optional>
#include <string>
#include <vector>

#include "command/record/call_record.hpp"
#include "common/redis/session.hpp"

namespace sluice::command {

/// Hashes `call:{COMMAND}:DIGEST` on one Redis, which last for as long as their calls are in progress and
/// then expire by themselves. Weaker than MySQL: what Redis forgets (a fail-over, writes that were not
/// synced, an eviction) is a key that nobody knows, and its call is sent again.
class RedisRecord final : public CallRecord {
public:
    /// Of one command, by its name. `settings` outlives it and has one server.
    RedisRecord(const config::RedisSettings& settings, const std::string& command);

    Recorded<bool> insert(const NewCall& call) override;
    Recorded<bool> restart(const KnownCall& seen, const NewCall& call) override;
    Recorded<bool> take_over(const Claim& from, const std::string& owner, Milliseconds lease) override;
    Recorded<bool> advance(const Claim& claim, Milliseconds lease) override;
    Recorded<bool> finish(const Claim& claim, const CallEnd& end, std::chrono::seconds keep) override;
    Recorded<bool> settle(const KnownCall& seen, const CallEnd& end, std::chrono::seconds keep) override;
    Recorded<std::optional<KnownCall>> find(const crypto::Digest& key) override;
    Recorded<std::vector<Claim>> due(std::size_t most) override;
    Recorded<std::chrono::microseconds> oldest_age(std::size_t most) override;
    Recorded<std::int64_t> given_up(std::size_t most) override;

private:
    using Words = std::vector<std::string>;

    /// EVAL, once more over a new connection where that one failed (as MysqlRecord::on_session).
    [[nodiscard]] Recorded<redis::Reply> run(const char* script, const std::string& member, Words arguments);
    [[nodiscard]] Recorded<bool> change(const char* script, const crypto::Digest& key, Words arguments);
    [[nodiscard]] Recorded<bool> pass_on(const Claim& from, const std::string& owner, Milliseconds lease,
                                         bool only_if_due);

    const config::RedisSettings& settings_;
    const std::string prefix_;
    std::optional<redis::Session> session_;
};

}  // namespace sluice::command
