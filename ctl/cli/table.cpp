#include "ctl/cli/table.hpp"

#include <algorithm>
#include <cctype>

namespace sluice::ctl {
namespace {

bool is_continuation(char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

std::size_t width_of(const std::string& text) {
    return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return !is_continuation(c); }));
}

bool is_control(char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
}

bool is_number(const std::string& text) {
    const auto is_part = [](char c) {
        return std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-';
    };
    return text.empty() || std::ranges::all_of(text, is_part);
}

void append_cell(std::string& line, const std::string& cell, std::size_t width, bool to_the_right) {
    const std::string gap(width - width_of(cell), ' ');
    line += to_the_right ? gap + cell : cell + gap;
}

std::string without_trailing_spaces(std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    return line + '\n';
}

}  // namespace

void Table::row(std::vector<std::string> cells) {
    cells.resize(headings_.size());
    for (auto& cell : cells) std::ranges::replace_if(cell, is_control, ' ');
    rows_.push_back(std::move(cells));
}

std::string Table::text() const {
    const std::size_t columns = headings_.size();
    std::vector<std::size_t> widths(columns);
    std::vector<bool> numeric(columns, !rows_.empty());
    for (std::size_t c = 0; c < columns; ++c) {
        widths[c] = width_of(headings_[c]);
        for (const auto& row : rows_) {
            widths[c] = std::max(widths[c], width_of(row[c]));
            numeric[c] = numeric[c] && is_number(row[c]);
        }
    }
    const auto line_of = [&](const std::vector<std::string>& cells) {
        std::string line;
        for (std::size_t c = 0; c < columns; ++c) {
            if (c != 0) line += "  ";
            append_cell(line, cells[c], widths[c], numeric[c]);
        }
        return without_trailing_spaces(std::move(line));
    };
    std::string text = line_of(headings_);
    for (const auto& row : rows_) text += line_of(row);
    return text;
}

}  // namespace sluice::ctl
