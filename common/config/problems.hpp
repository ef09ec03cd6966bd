#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace sluice::config {

/// Where something is in a file; lines and columns count from 1, 0 means the file as a whole.
struct Place {
    std::string file;
    int line = 0;
    int column = 0;

    [[nodiscard]] std::string text() const;  ///< "sluice.yaml:12"
};

/// Everything that is wrong with a configuration, so that it is reported in one go. Each problem is
/// one sentence: what is wrong and what would be right, listed once. Warnings do not refuse a configuration.
class Problems {
public:
    static constexpr std::size_t most_listed = 1000;  ///< one line more says that there are more

    void add(const Place& place, const std::string& sentence);
    void warn(const Place& place, const std::string& sentence);

    [[nodiscard]] bool any() const noexcept { return !errors_.empty(); }
    /// Grows with every `add`, listed or not: a reader compares it to learn whether its part is correct.
    [[nodiscard]] std::size_t count() const noexcept { return count_; }
    [[nodiscard]] const std::vector<std::string>& errors() const noexcept { return errors_; }
    [[nodiscard]] const std::vector<std::string>& warnings() const noexcept { return warnings_; }
    /// All errors, one a line; empty when there is none.
    [[nodiscard]] std::string report() const;

private:
    std::size_t count_ = 0;
    std::vector<std::string> errors_;
    std::vector<std::string> warnings_;
};

/// A configuration that cannot be used; `what()` is Problems::report(). Start-up only.
class Refused : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace sluice::config
