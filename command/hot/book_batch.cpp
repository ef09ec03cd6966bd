#include "command/hot/book_batch.hpp"

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

#include "command/key/key_of.hpp"

namespace sluice::command {
namespace {

using Kind = Answer::Kind;

constexpr Milliseconds for_all_statements{5000};

using MaybeAnswers = std::vector<std::optional<Answer>>;

/// Nobody said what became of a COMMIT: its keys are asked for when it is tried again.
std::optional<Answer> answer_in(std::optional<Attempted> attempted) {
    if (!attempted) return std::nullopt;
    if (attempted->end != Attempted::End::settled)
        return Answer{.kind = Kind::unavailable, .why = std::move(attempted->why)};
    return std::move(attempted->answer);
}

/// Of one that must not be executed: what its key says, as long as it says something.
Answer known_or_not(const Request& request, Worker& worker) {
    const crypto::Digest key = digest_of(request.key);
    const auto known = worker.known({&key, 1});
    if (!known) return {.kind = Kind::unavailable, .why = known.error()};
    const auto row = known->find(key);
    if (row != known->end() && !row->second.has_expired) return answer_from(row->second, request.fingerprint);
    return {.kind = Kind::not_known, .why = "it waited for longer than its key may be kept"};
}

}  // namespace

bool is_booked(const Answer& answer) {
    return answer.kind == Kind::executed || answer.kind == Kind::replayed || answer.kind == Kind::mismatch;
}

bool is_too_old(const Definition& definition, const Request& request, WallTime now) {
    return now - *request.accepted_at >= definition.keep * 3 / 4;
}

std::vector<Answer> BookBatch::book(Batch batch, Worker& worker, const Clock& clock) {
    std::vector<Answer> answers;
    while (!batch.empty() && std::ranges::all_of(answers, is_booked)) {
        const std::size_t count = that_share(batch, clock.wall());
        if (count < 2) {
            answers.push_back(alone(*batch.front(), worker, clock));
            batch = batch.subspan(1);
            continue;
        }
        std::ranges::move(shared(batch.first(count), worker, clock), std::back_inserter(answers));
        batch = batch.subspan(count);
    }
    return answers;
}

std::size_t BookBatch::that_share(Batch batch, WallTime now) const {
    const auto goes_alone = [this, now](const Waiting* one) {
        const auto* definition = set_.find(one->request.key.command);
        return definition == nullptr || !Together::takes(*definition) ||
               is_too_old(*definition, one->request, now);
    };
    const auto found = std::ranges::find_if(batch, goes_alone);
    return std::min(static_cast<std::size_t>(found - batch.begin()), most_together);
}

std::vector<Answer> BookBatch::shared(Batch batch, Worker& worker, const Clock& clock) {
    MaybeAnswers said(batch.size());
    std::deque<PreparedCommand> prepared;
    std::vector<const PreparedCommand*> commands;
    std::vector<std::size_t> asked;
    for (std::size_t i = 0; i < batch.size(); ++i) {
        const Request& request = batch[i]->request;
        auto& command = prepared.emplace_back(*set_.find(request.key.command), request, *request.accepted_at);
        if (command.read()) continue;  // alone it is told why
        commands.push_back(&command);
        asked.push_back(i);
    }
    auto* connection = worker.session();
    if (connection != nullptr && !commands.empty()) {
        auto all = together_.attempt(commands, *connection, clock.steady(), for_all_statements);
        if (Together::is_undone(all)) worker.undone();
        for (std::size_t i = 0; i < asked.size(); ++i) said[asked[i]] = answer_in(std::move(all[i]));
    }
    std::vector<Answer> answers;
    bool is_going_on = true;
    for (std::size_t i = 0; i < batch.size(); ++i) {
        if (!said[i] && is_going_on) said[i] = alone(*batch[i], worker, clock);
        answers.push_back(said[i] ? std::move(*said[i]) : Answer{.why = "one before it is tried again"});
        is_going_on = is_going_on && is_booked(answers.back());
    }
    if (is_going_on) worker.worked();
    return answers;
}

Answer BookBatch::alone(Waiting& one, Worker& worker, const Clock& clock) const {
    const auto* definition = set_.find(one.request.key.command);
    if (definition == nullptr || !definition->effect)
        return {.kind = Kind::unavailable, .why = "it is not configured here"};
    if (is_too_old(*definition, one.request, clock.wall())) return known_or_not(one.request, worker);
    one.request.answer_by = clock.steady() + for_all_statements;
    return worker.execute(*definition, one.request);
}

}  // namespace sluice::command
