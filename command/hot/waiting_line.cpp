#include "command/hot/waiting_line.hpp"

#include <algorithm>
#include <ranges>
#include <utility>

#include "command/key/key_of.hpp"

namespace sluice::command {

void WaitingLine::add(Waiting one) {
    Line& line = lines_[one.partition];
    // Read again after a seek: it stands here already.
    if (line.read_until >= one.offset) return;
    line.read_until = one.offset;
    line.waiting.push_back(std::move(one));
}

std::vector<Waiting*> WaitingLine::due(WallTime now, SteadyTime steady, std::size_t most) {
    std::vector<Waiting*> found;
    for (auto& [partition, line] : lines_) {
        if (line.rests_until > steady) continue;
        std::set<crypto::Digest> keys;
        for (Waiting& one : line.waiting) {
            if (one.is_settled) continue;
            if (keys.size() == most || one.due_at > now) break;
            if (!keys.insert(digest_of(one.request.key)).second) break;
            found.push_back(&one);
        }
    }
    return found;
}

bool WaitingLine::fills_a_batch(WallTime now, SteadyTime steady, std::size_t most) const {
    const auto is_due = [now](const Waiting& one) { return one.due_at <= now; };
    return std::ranges::any_of(lines_, [&](const auto& one) {
        const auto& [partition, line] = one;
        return line.rests_until <= steady && line.waiting.size() >= most &&
               std::ranges::all_of(line.waiting | std::views::take(most), is_due);
    });
}

std::map<std::int32_t, std::int64_t> WaitingLine::take_settled() {
    std::map<std::int32_t, std::int64_t> next;
    for (auto& [partition, line] : lines_)
        while (!line.waiting.empty() && line.waiting.front().is_settled) {
            if (!line.waiting.front().is_gone) next[partition] = line.waiting.front().offset + 1;
            line.waiting.pop_front();
        }
    return next;
}

void WaitingLine::begin_again(std::int32_t partition) {
    Line& line = lines_[partition];
    line.read_until = -1;
    for (Waiting& one : line.waiting) one.is_gone = true;
}

std::size_t WaitingLine::size(std::int32_t partition) const {
    const auto found = lines_.find(partition);
    return found == lines_.end() ? 0 : found->second.waiting.size();
}

bool WaitingLine::empty() const {
    return std::ranges::all_of(lines_, [](const auto& line) { return line.second.waiting.empty(); });
}

std::map<std::string, WallTime> WaitingLine::due_in_front() const {
    std::map<std::string, WallTime> due;
    for (const auto& [partition, line] : lines_) {
        if (line.waiting.empty()) continue;
        const Waiting& front = line.waiting.front();
        WallTime& earliest = due.try_emplace(front.request.key.command, front.due_at).first->second;
        earliest = std::min(earliest, front.due_at);
    }
    return due;
}

std::optional<WallTime> WaitingLine::oldest() const {
    std::optional<WallTime> oldest;
    for (const auto& [partition, line] : lines_) {
        if (line.waiting.empty()) continue;
        const auto accepted = line.waiting.front().request.accepted_at;
        if (accepted && (!oldest || *accepted < *oldest)) oldest = accepted;
    }
    return oldest;
}

}  // namespace sluice::command
