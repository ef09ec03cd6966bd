#include "common/telemetry/readiness.hpp"

#include <algorithm>
#include <utility>

namespace sluice {
namespace {

std::string spoken(std::string why) {
    return why.empty() ? "not ready" : std::move(why);
}

}  // namespace

void Readiness::expect(const std::string& concern, std::string why) {
    set_unready(concern, std::move(why));
}

void Readiness::set_ready(const std::string& concern, const void* voice) {
    const std::lock_guard lock{mutex_};
    reasons_[concern].erase(voice);
}

void Readiness::set_unready(const std::string& concern, std::string why, const void* voice) {
    const std::lock_guard lock{mutex_};
    reasons_[concern].insert_or_assign(voice, Reason{spoken(std::move(why)), false});
}

void Readiness::set_degraded(const std::string& concern, std::string why, const void* voice) {
    const std::lock_guard lock{mutex_};
    reasons_[concern].insert_or_assign(voice, Reason{"degraded: " + spoken(std::move(why)), true});
}

bool Readiness::serves(const Reasons& reasons) {
    return std::ranges::all_of(reasons, [](const auto& voice) { return voice.second.is_degraded; });
}

bool Readiness::ready() const {
    const std::lock_guard lock{mutex_};
    // Nothing declared yet: the process is still starting.
    return !reasons_.empty() &&
           std::ranges::all_of(reasons_, [](const auto& entry) { return serves(entry.second); });
}

std::map<std::string, bool> Readiness::concerns() const {
    const std::lock_guard lock{mutex_};
    std::map<std::string, bool> all;
    for (const auto& [concern, unready] : reasons_) all.emplace(concern, unready.empty());
    return all;
}

std::string Readiness::report() const {
    const std::lock_guard lock{mutex_};
    std::string text;
    for (const auto& [concern, reasons] : reasons_) {
        const auto worst =
            std::ranges::min_element(reasons, {}, [](const auto& voice) { return voice.second.is_degraded; });
        text += concern;
        text += ": ";
        text += worst == reasons.end() ? "ok" : worst->second.why;
        text += '\n';
    }
    return text;
}

}  // namespace sluice
