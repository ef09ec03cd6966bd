#include "ctl/send/traffic/tally.hpp"

#include <algorithm>
#include <cmath>
#include <format>

#include "common/time_text.hpp"
#include "ctl/cli/exit.hpp"
#include "ctl/cli/table.hpp"

namespace sluice::ctl {
namespace {

bool is_failure(const Sent& sent) {
    const bool is_success = sent.status >= 200 && sent.status < 300;
    return is_genuine(sent.kind) ? sent.is_last && !is_success : is_success || sent.status == 0;
}

float milliseconds_between(WallTime from, WallTime to) {
    return std::chrono::duration<float, std::milli>(to - from).count();
}

}  // namespace

Json to_json(const Sent& sent) {
    Json line{{"id", sent.facts.id},
              {"type", sent.facts.type},
              {"object", sent.facts.object},
              {"customer", sent.facts.customer},
              {"amount", sent.facts.amount},
              {"kind", std::string{name_of(sent.kind)}},
              {"attempt", sent.attempt},
              {"status", sent.status},
              {"decision", text_or_null(std::string{sent.decision})},
              {"sent_at", to_rfc3339(sent.sent_at)},
              {"answered_at", to_rfc3339(sent.answered_at)}};
    if (!sent.facts.other_ids.empty()) line["other_ids"] = sent.facts.other_ids;
    if (!sent.error.empty()) line["error"] = sent.error;
    return line;
}

Journal::Journal(const std::string& path) : is_open_{!path.empty()} {
    if (!is_open_) return;
    file_.open(path, std::ios::trunc);
    if (!file_) throw Stopped{Exit::usage, "cannot write " + path};
}

void Journal::write(const Sent& sent) {
    if (!is_open_) return;
    const std::string line = to_line(to_json(sent)) + "\n";
    const std::scoped_lock lock{mutex_};
    file_ << line << std::flush;
}

void Tally::count(const Sent& sent) {
    ++counts_[{sent.kind, sent.status, sent.decision}];
    if (sent.status == 0) {
        ++errors_[sent.error];
    } else {
        milliseconds_.push_back(milliseconds_between(sent.sent_at, sent.answered_at));
    }
    if (is_failure(sent)) ++failures_;
}

void Tally::add(const Tally& other) {
    for (const auto& [what, count] : other.counts_) counts_[what] += count;
    for (const auto& [error, count] : other.errors_) errors_[error] += count;
    milliseconds_.insert(milliseconds_.end(), other.milliseconds_.begin(), other.milliseconds_.end());
    failures_ += other.failures_;
}

double Tally::percentile(double share) const {
    if (milliseconds_.empty()) return 0;
    std::vector<float> sorted = milliseconds_;
    const auto rank = static_cast<std::ptrdiff_t>(share * static_cast<double>(sorted.size() - 1));
    std::ranges::nth_element(sorted, sorted.begin() + rank);
    return std::round(static_cast<double>(sorted[static_cast<std::size_t>(rank)]) * 100) / 100;
}

Json Tally::to_json() const {
    Json answers = Json::array();
    for (const auto& [what, count] : counts_) {
        const auto& [kind, status, decision] = what;
        answers.push_back({{"kind", std::string{name_of(kind)}},
                           {"status", status},
                           {"decision", text_or_null(std::string{decision})},
                           {"count", count}});
    }
    Json errors = Json::object();
    for (const auto& [error, count] : errors_) errors[error] = count;
    return {{"answers", std::move(answers)},
            {"errors", std::move(errors)},
            {"failed", failures_},
            {"latency_ms",
             {{"p50", percentile(0.5)},
              {"p95", percentile(0.95)},
              {"p99", percentile(0.99)},
              {"max", percentile(1)}}}};
}

std::string Tally::to_people() const {
    Table table{{"SENT", "ANSWER", "DECISION", "COUNT"}};
    for (const auto& [what, count] : counts_) {
        const auto& [kind, status, decision] = what;
        table.row({std::string{name_of(kind)}, status == 0 ? "none" : std::to_string(status),
                   std::string{decision}, std::to_string(count)});
    }
    std::string text = table.text();
    for (const auto& [error, count] : errors_) text += std::format("no answer, {} times: {}\n", count, error);
    text += std::format("answered within {:.1f} ms (half of them), {:.1f} ms (99 of 100), {:.1f} ms (all)\n",
                        percentile(0.5), percentile(0.99), percentile(1));
    if (failures_ != 0) text += std::format("{} deliveries did not get the right answer\n", failures_);
    return text;
}

}  // namespace sluice::ctl
