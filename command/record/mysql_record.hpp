#pragma once

#include <memory>
#include <string>

#include "command/process/around.hpp"
#include "command/record/call_record.hpp"
#include "consumer/database/database.hpp"

namespace sluice::command {

/// Rows of command_key of one command, each change a transaction of one statement. A server that took over
/// without the last commits forgets calls as it forgets everything else.
class MysqlRecord final : public CallRecord {
public:
    /// Both outlive it.
    MysqlRecord(const Around& around, consumer::ServerMoves& moves, std::string command);

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
    void look_again() override;

private:
    /// Runs `what` on a session, once more where that was gone. So a change may be tried after it was made:
    /// then it finds itself and says false, as if somebody else had been first.
    template <class What>
    auto on_session(What what)
        -> Recorded<typename decltype(what(std::declval<store::Connection&>()))::value_type>;
    [[nodiscard]] Recorded<bool> change(std::string_view statement, std::span<const store::Datum> parameters);

    Random random_;
    consumer::Database database_;
    const std::string command_;
};

}  // namespace sluice::command
