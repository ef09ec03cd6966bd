#include "consumer/database/database.hpp"

#include <algorithm>
#include <utility>

#include "consumer/store/driver/error.hpp"
#include "consumer/store/inbox/applied_offset.hpp"

namespace sluice::consumer {
namespace {

constexpr Milliseconds idle_look{500};
constexpr Backoff reconnect{Milliseconds{100}, Milliseconds{5000}};
constexpr std::chrono::seconds between_pings{20};
constexpr std::chrono::minutes between_words{1};  // about one trouble that lasts

/// An effect is ended by the watch; the server itself comes next, and what answers neither is given up last.
store::Patience patience_for(Milliseconds longest_within) {
    const auto within = std::chrono::ceil<std::chrono::seconds>(longest_within);
    store::Patience patience;
    patience.statement = std::max(patience.statement, within + std::chrono::seconds{5});
    patience.read = std::max(patience.read, within + std::chrono::seconds{10});
    return patience;
}

}  // namespace

Database::Database(const config::MysqlSettings& settings, Log& log, Readiness& readiness, const Clock& clock,
                   Random& random, ServerMoves& moves, const EffectLimits& effects)
    : settings_{settings},
      log_{log},
      readiness_{readiness},
      clock_{clock},
      random_{random},
      moves_{moves},
      effects_{effects} {}

store::Connection* Database::ready() {
    if (clock_.steady() < next_try_) return nullptr;
    if (connection_ && !connection_->alive()) drop();
    if (!connection_ && !open()) return nullptr;
    if (moves_.count() != known_moves_) give_up("another session reached a different server");
    return connection_.get();
}

bool Database::open() {
    store::ServerError error;
    auto opened = store::Connection::open(settings_, &error, patience_for(effects_.longest_within));
    if (!opened) {
        // It may hold the place that the next one needs, and its server is not asked before that one stands.
        was_lost_ = was_lost_ || left_;
        left_.reset();
        back_off(where() + error.message);
        return false;
    }
    connection_ = std::move(*opened);
    if (effects_.watch != nullptr) connection_->be_watched(*effects_.watch);
    ++session_;
    follows_a_loss_ = std::exchange(was_lost_, false) || !left_ || !left_->ping();
    left_.reset();
    return knows_server();
}

bool Database::knows_server() {
    auto server = store::server_name(*connection_);
    if (!server) {
        was_lost_ = follows_a_loss_;
        failed(connection_->last_error().message);
        return false;
    }
    const std::uint64_t moves = moves_.found(*server);
    has_moved_ = std::exchange(known_moves_, moves) != moves;
    server_ = std::move(*server);
    return true;
}

void Database::failed(const std::string& why) {
    const std::string what = where() + why;  // `why` may be the connection's own
    const store::ErrorClass error_class = store::class_of(connection_->last_error().code);
    was_lost_ = was_lost_ || error_class == store::ErrorClass::connection;
    // A missing table or right shows on any connection; everything else may be cured by another one.
    if (error_class != store::ErrorClass::schema) drop();
    back_off(what);
}

void Database::give_up(const std::string& why) {
    was_lost_ = true;
    connection_.reset();
    back_off(where() + why);
}

// It is kept until the next one stands: a server that still answers on it has not been down meanwhile.
void Database::drop() {
    was_lost_ = was_lost_ || !connection_->alive() || !connection_->rollback();
    left_ = std::move(connection_);
}

void Database::back_off(const std::string& why) {
    ++failures_;
    in_trouble_ = true;
    next_try_ = clock_.steady() + reconnect.after(failures_, random_);
    readiness_.set_unready("mysql", why, this);
    const SteadyTime now = clock_.steady();
    if (failures_ > 1 && now - said_at_ < between_words) return;
    said_at_ = now;
    log_.error("database_trouble", {{"reason", why}});
}

void Database::worked() {
    if (failures_ > 0) log_.info("database_back", {{"failures", std::int64_t{failures_}}});
    failures_ = 0;
    in_trouble_ = false;
    readiness_.set_ready("mysql", this);
}

SteadyTime Database::next_look(std::optional<SteadyTime> due) const {
    const SteadyTime idle = clock_.steady() + idle_look;
    return std::max(std::min(due.value_or(idle), idle), next_try_);
}

void Database::keep_alive() {
    if (!connection_ || clock_.steady() - last_ping_ < between_pings) return;
    last_ping_ = clock_.steady();
    if (!connection_->ping()) failed(connection_->last_error().message);
}

std::string Database::where() const {
    return "MySQL at " + settings_.host + ":" + std::to_string(settings_.port) + ", database " +
           settings_.database + ": ";
}

}  // namespace sluice::consumer
