#include "poller/reconcile/books.hpp"

#include <utility>

#include "consumer/store/driver/error.hpp"
#include "consumer/store/inbox/undated.hpp"
#include "poller/reconcile/broken_off.hpp"

namespace sluice::poller {
namespace {

[[noreturn]] void broken(const store::ServerError& error) {
    std::string why = "MySQL: " + (error.message.empty() ? error.code.message() : error.message);
    if (store::class_of(error.code) == store::ErrorClass::schema)
        why += ": run `sluicectl migrate --apply`, and see the rights of sluice-poller in SECURITY.md";
    throw BrokenOff{why};
}

}  // namespace

store::ReconciliationStart start_of(const std::string& id, const webhook::Source& source,
                                    store::ReconciliationKind kind) {
    return {.id = id,
            .source = source.name,
            .provider = source.provider,
            .principal = source.principal,
            .kind = kind,
            .applies = false,
            .from = std::nullopt,
            .until = std::nullopt,
            .operator_name = {},
            .reason = {}};
}

store::Connection& Books::session() {
    if (connection_ && connection_->ping()) return *connection_;
    store::ServerError error;
    auto opened = store::Connection::open(mysql_, &error);
    if (!opened) broken(error);
    connection_ = std::move(*opened);
    return *connection_;
}

template <class Value>
Value Books::or_break(Result<Value> result) {
    if (!result) {
        store::ServerError error = connection_->last_error();
        if (error.code != result.error()) error = {.code = result.error(), .message = {}, .statement = {}};
        broken(error);
    }
    if constexpr (!std::is_void_v<Value>) return std::move(*result);
}

std::optional<std::chrono::sys_days> Books::dropped_before() {
    return or_break(store::dropped_before(session()));
}

std::vector<store::KnownEvent> Books::known(std::span<const store::InboxKey> keys) {
    if (keys.empty()) return {};
    return or_break(store::known(session(), keys));
}

std::vector<store::InboxRow> Books::on_any_day(std::span<const crypto::Digest> keys) {
    return or_break(store::find_on_any_day(session(), keys));
}

std::vector<store::KnownEvent> Books::remembered(std::span<const store::InboxKey> keys) {
    return or_break(store::remembered(session(), keys));
}

std::vector<store::DayRow> Books::rows_of_day(std::chrono::sys_days day,
                                              const std::optional<crypto::Digest>& after) {
    return or_break(store::rows_of_day(session(), day, after));
}

std::optional<store::LastReconciliation> Books::last_regular(const std::string& source) {
    return or_break(store::last_regular(session(), source));
}

void Books::begin(const store::ReconciliationStart& start) {
    or_break(store::forget_reconciliations(session()));
    or_break(store::begin_reconciliation(session(), start));
}

void Books::missing(const std::string& id, std::span<const store::MissingRow> rows) {
    or_break(store::note_missing(session(), id, rows));
}

void Books::injected(const std::string& id, const store::InboxKey& key) {
    or_break(store::note_injected(session(), id, key));
}

void Books::so_far(const std::string& id, const store::ReconciliationCounts& counts) {
    or_break(store::write_counts(session(), id, counts));
}

void Books::ended(const std::string& id, const store::ReconciliationCounts& counts) {
    or_break(store::end_reconciliation(session(), id, counts));
}

}  // namespace sluice::poller
