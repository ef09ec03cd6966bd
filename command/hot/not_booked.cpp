#include "command/hot/not_booked.hpp"

#include "command/key/key_of.hpp"
#include "consumer/store/command/command_key.hpp"
#include "consumer/store/driver/open_transaction.hpp"

namespace sluice::command {

namespace {

Result<void> write(NotBooked how, const crypto::Digest& key, store::Connection& connection) {
    if (how == NotBooked::perhaps)
        return store::write_failure(connection, key,
                                    "it waited in Kafka for too long: nobody knows whether it was booked");
    return store::write_response(connection, key, {409, "application/json", std::string{not_booked_body}});
}

}  // namespace

Result<bool> store_not_booked(const Definition& definition, const Request& request, NotBooked how,
                              store::Connection& connection) {
    auto open = store::OpenTransaction::begin(connection);
    if (!open) return Failure{open.error()};
    const crypto::Digest key = digest_of(request.key);
    if (const auto gone = store::forget_expired_key(connection, key); !gone) return Failure{gone.error()};
    const auto inserted = store::insert_command_key(connection, {.key = key,
                                                                 .fingerprint = request.fingerprint,
                                                                 .command = request.key.command,
                                                                 .caller = request.key.caller,
                                                                 .caller_key = request.key.key,
                                                                 .keep = definition.keep});
    if (!inserted) return Failure{inserted.error()};
    if (!*inserted) return true;
    if (const auto written = write(how, key, connection); !written) return Failure{written.error()};
    if (const auto committed = open->commit(); !committed) return Failure{committed.error()};
    return true;
}

}  // namespace sluice::command
