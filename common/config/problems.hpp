#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace sluice::config {

/// Where something stands in a file; lines and columns count from 1, 0 means the file as a whole.
struct Place {
    std::string file;
    int line = 0;
    int column = 0;

    [[nodiscard]] std::string text() const;  ///< "sluice.yaml:12"
};

/// Everything that is wrong with a configuration, so that it is reported in one go. Each problem is
/// one sentence: what is wrong and what would be right. Warnings do not refuse a configuration.
class Problems {
public:
    void add(const Place& place, std::string sentence);
    void warn(const Place& place, std::string sentence);

    [[nodiscard]] bool any() const noexcept { return !errors_.empty(); }
    [[nodiscard]] const std::vector<std::string>& errors() const noexcept { return errors_; }
    [[nodiscard]] const std::vector<std::string>& warnings() const noexcept { return warnings_; }
    /// All errors, one a line; empty when there is none.
    [[nodiscard]] std::string report() const;

private:
    std::vector<std::string> errors_;
    std::vector<std::string> warnings_;
};

/// A configuration that cannot be used; `what()` is Problems::report(). Start-up only.
class Refused : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace sluice::config
