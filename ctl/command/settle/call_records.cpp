#include "ctl/command/settle/call_records.hpp"

#include <utility>

#include "command/record/mysql_record.hpp"
#include "command/record/redis_record.hpp"
#include "ctl/cli/exit.hpp"

namespace sluice::ctl {
namespace {

template <class T>
T told_or_stop(command::CallRecord::Recorded<T> told) {
    if (!told) throw Stopped{Exit::unreachable, told.error()};
    return std::move(*told);
}

}  // namespace

CallRecords::CallRecords(const command::Definition& definition, const config::Document& document,
                         config::Problems& problems, const Clock& clock)
    : definition_{definition},
      mysql_{config::read_mysql(document, problems)},
      around_{mysql_, log_, metrics_, readiness_, clock} {
    if (!definition.call || definition.call->record == command::CallDefinition::Record::mysql) {
        record_ = std::make_unique<command::MysqlRecord>(around_, moves_, definition.name);
        return;
    }
    redis_ = config::read_redis(document, problems);
    if (redis_.servers.size() != 1)
        problems.add({document.file(), 0, 0}, "redis.urls must name the one server that has the records");
    record_ = std::make_unique<command::RedisRecord>(redis_, definition.name);
}

std::optional<command::KnownCall> CallRecords::find(const crypto::Digest& key) {
    return told_or_stop(record_->find(key));
}

command::EndedBy CallRecords::settle(const command::KnownCall& seen, const command::CallEnd& end) {
    const auto written = record_->settle(seen, end, definition_.keep);
    if (written && *written) return command::EndedBy::us;
    const auto found = record_->find(seen.claim.key);
    const auto by = found ? command::ended_by(*found, seen, end) : command::EndedBy::nobody_knows;
    if (written && found) return by;
    if (by == command::EndedBy::us) return by;
    const std::string why = written ? found.error() : written.error();
    throw Stopped{Exit::unreachable, "nobody knows yet whether it was changed: " + why +
                                         "; without --apply it says what is there"};
}

}  // namespace sluice::ctl
