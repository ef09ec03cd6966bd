#pragma once

#include <map>
#include <mutex>
#include <string>

namespace sluice {

/// Why this process should not get traffic: one entry per concern ("kafka", "mysql", "drain"),
/// each ready or with the sentence that says what and where. Ready when there is at least one and all are.
/// A degraded concern is reported as not ready, but the process keeps its traffic.
/// Several objects may report one concern, each with a voice (its own address): it is ready when all of them
/// say so. Thread-safe.
class Readiness {
public:
    /// Declares a concern as not ready; `readyz` names it until `set_ready`.
    void expect(const std::string& concern, std::string why);
    void set_ready(const std::string& concern, const void* voice = nullptr);
    void set_unready(const std::string& concern, std::string why, const void* voice = nullptr);
    void set_degraded(const std::string& concern, std::string why, const void* voice = nullptr);

    [[nodiscard]] bool ready() const;
    /// Each concern, and whether it is ready; a degraded one is not.
    [[nodiscard]] std::map<std::string, bool> concerns() const;
    /// Lines "concern: ok", "concern: why" or "concern: degraded: why", for /readyz and for people.
    [[nodiscard]] std::string report() const;

private:
    struct Reason {
        std::string why;
        bool is_degraded;
    };
    using Reasons = std::map<const void*, Reason>;  // by voice, of those that are not ready

    static bool serves(const Reasons& reasons);

    mutable std::mutex mutex_;
    std::map<std::string, Reasons> reasons_;
};

}  // namespace sluice
