#include "consumer/relay_role/refused_message.hpp"

#include "common/error.hpp"
#include "common/failpoint.hpp"
#include "consumer/store/dead_letter/dead_letter.hpp"
#include "consumer/store/driver/open_transaction.hpp"

namespace sluice::consumer {
namespace {

/// One entry for each time that it is given up.
crypto::Digest refusal_of(const store::OutboxMessage& message) {
    crypto::PartsDigest digest;
    digest.begin();
    digest.part("outbox");
    digest.part(std::to_string(message.id));
    digest.part(std::to_string(message.attempts));
    return digest.finish();
}

store::DeadLetter entry_of(const store::OutboxMessage& message, const std::optional<store::InboxRow>& event,
                           const std::string& destination, std::string_view why, WallTime now) {
    store::DeadLetter entry;
    entry.kind = store::DeadLetterKind::message;
    if (event) {
        entry.object_key = event->object_key;
        entry.reference = event->reference;
        entry.transaction = event->transaction;
    }
    entry.source = message.source;
    entry.type = message.event_type;
    entry.event_id = message.event_id;
    entry.error_class = "message_refused";
    entry.error_text = why;
    entry.attempts = static_cast<int>(message.attempts) + 1;
    entry.first_failed_at = now - message.tried_for;
    entry.topic = destination;
    entry.offset = message.id;
    entry.record = store::DeadLetterRecord{refusal_of(message), {}, message.body};
    entry.owes_dlq_record = false;  // the outbox has it
    return entry;
}

}  // namespace

Result<void> refuse_message(const store::OutboxMessage& message, const std::string& destination,
                            std::string_view why, WallTime now, store::Connection& connection) {
    auto open = store::OpenTransaction::begin(connection);
    if (!open) return Failure{open.error()};
    const auto event = store::find(connection, message.event);
    if (!event) return Failure{event.error()};
    if (const auto refused = store::refuse(connection, message.id, why); !refused) return refused;
    const auto entry =
        store::open_dead_letter(connection, entry_of(message, *event, destination, why, now), now);
    if (!entry) return Failure{entry.error()};
    if (!*entry) return Failure{errc::unlisted_row_count};  // nobody could end it
    (void)FP("consumer.before_message_entry_commit");
    return open->commit();
}

}  // namespace sluice::consumer
