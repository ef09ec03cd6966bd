#pragma once

#include <map>
#include <mutex>
#include <string>

namespace sluice {

/// Why this process should not get traffic: one entry per concern ("kafka", "mysql", "drain"),
/// each ready or with the sentence that says what and where. Ready when there is one and all are.
/// Thread-safe.
class Readiness {
public:
    /// Declares a concern as not ready; `readyz` names it until `set_ready`.
    void expect(const std::string& concern, std::string why);
    void set_ready(const std::string& concern);
    void set_unready(const std::string& concern, std::string why);

    [[nodiscard]] bool ready() const;
    /// Each concern, and whether it is ready.
    [[nodiscard]] std::map<std::string, bool> concerns() const;
    /// Lines "concern: ok" or "concern: why", for /readyz and for people.
    [[nodiscard]] std::string report() const;

private:
    mutable std::mutex mutex_;
    std::map<std::string, std::string> reasons_;  // empty text: ready
};

}  // namespace sluice
