#include "common/failpoint.hpp"

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include "common/failpoint_plan.hpp"

namespace sluice {
namespace {

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::string{} : std::string{value};
}

[[noreturn]] void give_up(const std::string& sentence) {
    std::fprintf(stderr, "%s\n", sentence.c_str());
    std::abort();
}

std::vector<FailpointRule> plan_of_environment() {
    auto rules = parse_failpoints(environment("SLUICE_FAILPOINTS"));
    if (!rules) give_up(rules.error());
    return *std::move(rules);
}

std::uint64_t seed_of_environment() {
    const std::string seed = environment("SLUICE_FAILPOINTS_SEED");
    return seed.empty() ? std::random_device{}() : std::strtoull(seed.c_str(), nullptr, 10);
}

class Failpoints {
public:
    bool hit(std::string_view name) {
        bool fail = false;
        for (const FailpointRule& rule : fired(name)) fail = carry_out(rule) || fail;
        return fail;
    }

private:
    std::vector<FailpointRule> fired(std::string_view name) {
        const std::lock_guard lock{mutex_};
        auto entry = hits_.find(name);
        if (entry == hits_.end()) {
            entry = hits_.emplace(name, 0).first;
            note_first_hit(name);
        }
        const std::uint64_t hit = ++entry->second;
        std::vector<FailpointRule> fired;
        for (const FailpointRule& rule : rules_) {
            if (rule.name == name && rule.fires(hit, dice_(random_))) fired.push_back(rule);
        }
        return fired;
    }

    // One write per line, on a descriptor opened for append: processes share the file.
    void note_first_hit(std::string_view name) const {
        if (log_.empty()) return;
        const int file = ::open(log_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
        const std::string line = std::string{name} + '\n';
        const bool written = file >= 0 && ::write(file, line.data(), line.size()) == std::ssize(line);
        if (file >= 0) ::close(file);
        if (!written) give_up("SLUICE_FAILPOINTS_LOG: cannot write to " + log_);
    }

    static bool carry_out(const FailpointRule& rule) {
        switch (rule.action) {
            // Sent to this thread, so that it does not get past this point.
            case FailpointRule::Action::kill:
                (void)std::raise(SIGKILL);
                break;
            case FailpointRule::Action::stop:
                (void)std::raise(SIGSTOP);
                break;
            case FailpointRule::Action::delay:
                std::this_thread::sleep_for(rule.delay);
                break;
            case FailpointRule::Action::error:
                return true;
        }
        return false;
    }

    const std::vector<FailpointRule> rules_ = plan_of_environment();
    const std::string log_ = environment("SLUICE_FAILPOINTS_LOG");
    std::mutex mutex_;
    std::map<std::string, std::uint64_t, std::less<>> hits_;
    std::mt19937_64 random_{seed_of_environment()};
    std::uniform_real_distribution<double> dice_{0.0, 1.0};
};

}  // namespace

bool failpoint(std::string_view name) {
    // Never destroyed: threads may still pass a failpoint while the process exits.
    static Failpoints& failpoints = *new Failpoints;
    return failpoints.hit(name);
}

int hurry() noexcept {
    static const int times = [] {
        const char* text = std::getenv("SLUICE_HURRY");
        return text == nullptr ? 1 : std::max(std::atoi(text), 1);
    }();
    return times;
}

}  // namespace sluice
