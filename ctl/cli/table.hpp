#pragma once

#include <string>
#include <string_view>
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
    /// Below the last row: a text of any length, whole, indented and wrapped between words so that 80 columns
    /// show it. Nothing for an empty one.
    void note(std::string_view text);
    [[nodiscard]] std::string text() const;

private:
    std::vector<std::string> headings_;
    std::vector<std::vector<std::string>> rows_;
    std::vector<std::string> notes_;  // of each row, as lines
};

}  // namespace sluice::ctl
