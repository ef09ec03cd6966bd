#include "command/execute/together.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "command/execute/commit.hpp"
#include "consumer/store/command/command_key.hpp"
#include "consumer/store/driver/open_transaction.hpp"
#include "consumer/store/driver/time_limit.hpp"

namespace sluice::command {
namespace {

using Commands = std::span<const PreparedCommand* const>;
using End = Attempted::End;
using Kind = Answer::Kind;

constexpr int most_turns = 3;

std::vector<const effects::Effect*> effects_that_share(const CommandSet& set) {
    std::vector<const effects::Effect*> all;
    for (const auto& definition : set.all())
        if (Together::takes(*definition)) all.push_back(definition->effect.get());
    return all;
}

/// Answers those that are known. The others; nullopt: MySQL did not say.
std::optional<std::vector<std::size_t>> answer_known(Commands commands, std::vector<std::size_t> asked,
                                                     Together::All& all, store::Connection& connection) {
    std::vector<crypto::Digest> keys;
    for (const std::size_t i : asked) keys.push_back(commands[i]->key());
    const auto known = store::find_command_keys(connection, keys);
    if (!known) return std::nullopt;
    for (const auto& [key, row] : *known) {
        const auto is_it = [&](std::size_t i) { return commands[i]->key() == key; };
        const auto found = std::ranges::find_if(asked, is_it);
        if (found == asked.end()) continue;
        // A row that has expired has to be deleted first: that one goes alone.
        if (!row.has_expired)
            all[*found] = Attempted{End::settled, answer_from(row, commands[*found]->request().fingerprint)};
        asked.erase(found);
    }
    return asked;
}

store::DoneCommandKey row_of(const PreparedCommand& command, const Response& response) {
    const Request& request = command.request();
    return {.key = {.key = command.key(),
                    .fingerprint = request.fingerprint,
                    .command = request.key.command,
                    .caller = request.key.caller,
                    .caller_key = request.key.key,
                    .keep = command.definition().keep},
            .response = {response.status, response.content_type, response.body}};
}

/// As of one that went alone. nullopt: its effect has to be taken back, which only alone it can be.
std::optional<Attempted> responded(const PreparedCommand& command, const effects::Verdict& verdict,
                                   store::Connection& connection) {
    const auto* answer = command.definition().answers.of(verdict);
    if (answer == nullptr) return attempted_by(verdict, connection);
    auto response = command.respond(*answer, connection);
    if (!response) return std::nullopt;
    return Attempted{End::settled, {.kind = Kind::executed, .response = std::move(*response)}};
}

/// False: one of them is there already.
Result<bool> store_responses(Commands commands, std::vector<std::size_t> executed, const Together::All& all,
                             store::Connection& connection) {
    // In one order, so that processes which share keys do not wait for each other in a circle.
    std::ranges::sort(executed, {},
                      [&](std::size_t i) -> const crypto::Digest& { return commands[i]->key(); });
    std::vector<store::DoneCommandKey> rows;
    rows.reserve(executed.size());
    for (const std::size_t i : executed) rows.push_back(row_of(*commands[i], all[i]->answer.response));
    return store::insert_done_keys(connection, rows);
}

void doubt(Together::All& all) {
    for (auto& one : all)
        if (one && one->answer.kind == Kind::executed)
            *one = {End::doubtful, std::move(one->answer), nobody_said};
}

}  // namespace

Together::Together(const CommandSet& set) : run_{effects_that_share(set)} {}

Together::Undone Together::undone_by(const effects::BatchFailure& failure,
                                     std::span<const std::size_t> fresh) {
    if (!failure.culprit) return {};
    return {fresh[*failure.culprit], true};
}

bool Together::takes(const Definition& definition) {
    return definition.effect && definition.effect->set_based() != nullptr &&
           definition.answers.select() == nullptr;
}

bool Together::is_undone(const All& all) {
    return all.size() > 1 && std::ranges::none_of(all, [](const auto& one) { return one.has_value(); });
}

Together::All Together::attempt(Commands commands, store::Connection& connection, SteadyTime now,
                                Milliseconds time) {
    std::vector<std::size_t> asked(commands.size());
    std::ranges::iota(asked, std::size_t{0});
    for (int tries = 0; tries < most_turns && !asked.empty(); ++tries) {
        All all(commands.size());
        const auto done = try_once(commands, asked, all, connection, now, time);
        if (done) return all;
        if (!done.error().is_worth_a_try) break;
        if (done.error().culprit) std::erase(asked, *done.error().culprit);
    }
    return All(commands.size());
}

std::expected<void, Together::Undone> Together::try_once(Commands commands, std::vector<std::size_t> asked,
                                                         All& all, store::Connection& connection,
                                                         SteadyTime now, Milliseconds time) {
    if (!run_.know_tables(connection, now)) return std::unexpected(Undone{});
    auto open = store::OpenTransaction::begin(connection);
    if (!open) return std::unexpected(Undone{});
    {
        const store::TimeLimit limit{connection, time};
        auto fresh = answer_known(commands, std::move(asked), all, connection);
        if (!fresh) return std::unexpected(Undone{});
        const auto stored = carry_out(commands, std::move(*fresh), all, connection, now);
        if (!stored) return std::unexpected(stored.error());
        if (*stored == 0) return {};
    }
    const auto committed = commit(*open);
    if (committed.how == Committed::How::not_done) return std::unexpected(Undone{});
    if (committed.how == Committed::How::unknown) doubt(all);
    return {};
}

std::expected<std::size_t, Together::Undone> Together::carry_out(Commands commands,
                                                                 std::vector<std::size_t> fresh, All& all,
                                                                 store::Connection& connection,
                                                                 SteadyTime now) {
    std::vector<effects::BatchEvent> events;
    for (const std::size_t i : fresh) events.push_back(commands[i]->batched());
    const auto body = [&](std::size_t event) { return std::optional{commands[fresh[event]]->body()}; };
    const auto verdicts = run_.run_each(events, body, connection, now);
    if (!verdicts) return std::unexpected(undone_by(verdicts.error(), fresh));
    std::vector<std::size_t> executed;
    for (std::size_t event = 0; event < fresh.size(); ++event) {
        auto& attempted = all[fresh[event]];
        attempted = responded(*commands[fresh[event]], (*verdicts)[event], connection);
        if (!attempted) return std::unexpected(Undone{fresh[event], true});
        if (attempted->answer.kind == Kind::executed) executed.push_back(fresh[event]);
    }
    const auto stored = store_responses(commands, executed, all, connection);
    if (!stored) return std::unexpected(Undone{});
    // Another process was first with one of the keys, and its row can be read now.
    if (!*stored) return std::unexpected(Undone{{}, true});
    return executed.size();
}

}  // namespace sluice::command
