#pragma once

#include <initializer_list>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "common/clock.hpp"
#include "common/telemetry/log.hpp"
#include "common/telemetry/metrics.hpp"
#include "common/telemetry/readiness.hpp"
#include "consumer/effects/effect_set/effect_set.hpp"
#include "tests/unit/consumer/effects/configuration.hpp"

namespace sluice::consumer {

/// Time that a test moves.
class FakeClock final : public Clock {
public:
    [[nodiscard]] WallTime wall() const override { return {}; }
    [[nodiscard]] SteadyTime steady() const override { return now_; }
    void advance(Milliseconds by) { now_ += by; }

private:
    SteadyTime now_{std::chrono::hours{1}};
};

/// What a process has around its rules: a clock, and all that it tells people.
class FakeProcess {
public:
    FakeProcess() { log_.emplace(Log::Settings{.program = "unit", .descriptor = file_}); }
    ~FakeProcess() {
        log_.reset();
        ::close(file_);
    }
    FakeProcess(const FakeProcess&) = delete;
    FakeProcess& operator=(const FakeProcess&) = delete;

    [[nodiscard]] Log& log() { return *log_; }
    [[nodiscard]] bool is_ready(const std::string& concern) const { return readiness.concerns().at(concern); }
    [[nodiscard]] bool exposes(const std::string& line) const {
        return metrics.exposition().contains(line + "\n");
    }

    /// Ends the log. The values of `key` in the lines of this decision, in their order.
    [[nodiscard]] std::vector<std::string> logged(const std::string& decision, const std::string& key) {
        log_.reset();
        std::string text(64 * 1024, '\0');
        const ssize_t size = ::pread(file_, text.data(), text.size(), 0);
        text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
        std::vector<std::string> values;
        std::istringstream lines{text};
        for (std::string line; std::getline(lines, line);) {
            const auto told = nlohmann::json::parse(line);
            if (told["decision"] == decision) values.push_back(told[key]);
        }
        return values;
    }

    FakeClock clock;
    Metrics metrics;
    Readiness readiness;

private:
    int file_ = ::memfd_create("log", MFD_CLOEXEC);
    std::optional<Log> log_;
};

/// One effect of each name.
[[nodiscard]] inline effects::EffectSet effects_named(std::initializer_list<std::string> names) {
    std::string text = "effects:\n";
    for (const std::string& name : names)
        text += "  - name: " + name + "\n    when: {type: paid}\n    sql: [{run: DELETE FROM t}]\n";
    return effects::read_with(text,
                              [](const config::Document& document, config::Problems& problems) {
                                  return effects::EffectSet::read(document, effects::sources(), problems);
                              })
        .value;
}

}  // namespace sluice::consumer
