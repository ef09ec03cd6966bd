#include <algorithm>
#include <deque>
#include <exception>
#include <utility>

#include "command/execute/share_of_time.hpp"
#include "command/execute/worker.hpp"

// How a worker executes commands that wait together.
namespace sluice::command {
namespace {

constexpr Milliseconds to_settle_all{5000};

Milliseconds shared_time(const std::vector<Job>& jobs, SteadyTime now) {
    Milliseconds time = Milliseconds::max();
    for (const Job& job : jobs) {
        const auto& [definition, request, tell] = *job.shareable;
        time = std::min({time, share_of_time(request->answer_by, now), definition->effect->within()});
    }
    return time;
}

}  // namespace

void Worker::work_together(Job first) {
    auto jobs = shared_.queue.pop_shareable(most_together - 1);
    if (jobs.empty()) return work_at(first);
    jobs.insert(jobs.begin(), std::move(first));
    Answers answers;
    try {
        answers = execute_together(jobs);
    } catch (const std::exception& error) {
        // Nothing was committed, or the rows of the keys say so.
        shared_.around.log.error("command_broken", {{"reason", error.what()}});
        answers.assign(jobs.size(), std::nullopt);
    }
    tell(std::move(jobs), std::move(answers));
}

void Worker::tell(std::vector<Job> jobs, Answers answers) {
    std::vector<Job> left;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        if (!answers[i]) {
            left.push_back(std::move(jobs[i]));
            continue;
        }
        jobs[i].shareable->tell(std::move(*answers[i]));
        shared_.queue.ended(jobs[i]);
    }
    if (left.empty() || shared_.queue.put_back_alone(left)) return;
    for (const Job& job : left) work_at(job);
}

Worker::Answers Worker::execute_together(const std::vector<Job>& jobs) {
    const Clock& clock = shared_.around.clock;
    Answers answers(jobs.size());
    std::deque<PreparedCommand> prepared;
    std::vector<const PreparedCommand*> commands;
    std::vector<std::size_t> asked;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        const Shareable& one = *jobs[i].shareable;
        auto& command = prepared.emplace_back(*one.definition, *one.request, clock.wall());
        if (auto why = command.read()) {
            answers[i] = Answer{.kind = Answer::Kind::refused, .why = std::move(*why)};
            continue;
        }
        commands.push_back(&command);
        asked.push_back(i);
    }
    if (commands.empty()) return answers;
    auto* connection = database_.ready();
    const auto now = clock.steady();
    auto said =
        connection == nullptr
            ? Answers(commands.size(), no_database())
            : answers_of(commands, together_.attempt(commands, *connection, now, shared_time(jobs, now)));
    for (std::size_t i = 0; i < asked.size(); ++i) answers[asked[i]] = std::move(said[i]);
    return answers;
}

Worker::Answers Worker::answers_of(std::span<const PreparedCommand* const> commands, Together::All all) {
    if (Together::is_undone(all)) undone();
    const auto is_in_doubt = [](const auto& one) { return one && one->end == Attempted::End::doubtful; };
    const bool has_doubt = std::ranges::any_of(all, is_in_doubt);
    auto* connection = has_doubt ? again_on_same_server() : nullptr;
    const SteadyTime until = shared_.around.clock.steady() + to_settle_all;
    Answers answers(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (!all[i]) continue;
        if (!is_in_doubt(all[i])) {
            answers[i] = told(*commands[i], std::move(*all[i]));
            continue;
        }
        const auto left = std::chrono::ceil<Milliseconds>(until - shared_.around.clock.steady());
        answers[i] = settled(*commands[i], std::move(*all[i]), connection, std::max(left, Milliseconds{1}));
    }
    if (!has_doubt && std::ranges::any_of(all, [](const auto& one) { return one.has_value(); }))
        database_.worked();
    return answers;
}

}  // namespace sluice::command
