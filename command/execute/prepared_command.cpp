#include "command/execute/prepared_command.hpp"

#include <concepts>
#include <type_traits>
#include <utility>

#include "command/key/key_of.hpp"
#include "common/crypto/random.hpp"
#include "consumer/store/driver/time_limit.hpp"

namespace sluice::command {
namespace {

constexpr std::size_t random_bytes = 16;

/// Of this execution alone: messages of the effect take it for their event's content. A key that expired is a
/// new command, and what it sends is new as well.
crypto::Digest content_of(const Request& request) {
    crypto::PartsDigest digest;
    digest.begin();
    digest.part(crypto::as_text(request.fingerprint));
    digest.part(crypto::random_hex(random_bytes));
    return digest.finish();
}

record::EventHeaders headers_of(const Request& request, WallTime now) {
    record::EventHeaders headers;
    headers.source = request.key.caller;
    headers.provider = "command";
    headers.principal = request.key.caller;
    headers.livemode = true;
    headers.event_id = request.key.key;
    headers.type = request.key.command;
    headers.content_type = "application/json";
    headers.dedup_key = digest_of(request.key);
    headers.content_digest = content_of(request);
    headers.event_day = std::chrono::floor<std::chrono::days>(now);
    headers.received_at = now;
    headers.traceparent = request.traceparent;
    return headers;
}

/// A view of the column.
store::Datum datum_of(const store::OwnedDatum& column) {
    return std::visit(
        []<class T>(const T& held) -> store::Datum {
            if constexpr (std::same_as<T, std::string>)
                return std::string_view{held};
            else
                return held;
        },
        column);
}

}  // namespace

PreparedCommand::PreparedCommand(const Definition& definition, const Request& request, WallTime now)
    : definition_{definition},
      effect_{definition.effect.get()},
      request_{request},
      headers_{headers_of(request, now)} {}

effects::EventBody PreparedCommand::body() const {
    return {.json = json_, .payment = nullptr, .headers = {}, .bytes = request_.body, .at = {}};
}

effects::EventView PreparedCommand::event() const {
    return {.headers = headers_, .body = body()};
}

std::optional<std::string> PreparedCommand::read() {
    if (!json_.read(request_.body)) return "the body is no JSON document";
    if (auto why = evaluate()) return why;
    for (std::size_t i = 0; i < definition_.parameters.size(); ++i)
        if (auto why = objection_to(values_[i], definition_.parameters[i])) return why;
    return std::nullopt;
}

std::optional<std::string> PreparedCommand::evaluate() {
    values_.clear();
    auto none = definition_.effect->evaluate(event(), values_, made_);
    if (!none) return std::nullopt;
    return std::move(none->reason);
}

effects::Verdict PreparedCommand::run(store::Connection& connection) const {
    const store::TimeLimit limit{connection, definition_.effect->within()};
    return definition_.effect->run(event(), connection);
}

std::expected<Response, std::string> PreparedCommand::response_of(const Answers::Template& answer) const {
    const effects::EventBody its = body();
    return response_from(answer, {values_, headers_, &its});
}

std::expected<Response, std::string> PreparedCommand::respond(const Answers::Template& answer,
                                                              store::Connection& connection) const {
    const auto* select = answer.outcome == "done" ? definition_.answers.select() : nullptr;
    if (select == nullptr) return response_of(answer);
    const effects::EventBody its = body();
    auto values = values_;
    const store::TimeLimit limit{connection, definition_.effect->within()};
    const auto rows = connection.query(select->text.text, select->text.bound({values, headers_, &its}));
    if (!rows) return std::unexpected("the SELECT of the answer failed");
    if (rows->size() != 1)
        return std::unexpected("the SELECT of the answer found " + std::to_string(rows->size()) +
                               " rows, not one");
    if (rows->front().size() != select->columns.size())
        return std::unexpected("the SELECT of the answer gives other columns than it names");
    for (const auto& column : rows->front()) values.push_back(datum_of(column));
    return response_from(answer, {values, headers_, &its});
}

}  // namespace sluice::command
