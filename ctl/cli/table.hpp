#pragma once

#include <string>
#include <vector>

namespace sluice::ctl {

/// Columns for people: two spaces between them, widths by content (UTF-8 code points), columns whose
/// cells are all numbers to the right. Line ends and other control characters in a cell become spaces:
/// what comes from outside cannot draw on the terminal.
class Table {
public:
    explicit Table(std::vector<std::string> headings) : headings_{std::move(headings)} {}

    /// Missing cells are empty; there are never more than headings.
    void row(std::vector<std::string> cells);
    [[nodiscard]] std::string text() const;

private:
    std::vector<std::string> headings_;
    std::vector<std::vector<std::string>> rows_;
};

}  // namespace sluice::ctl
