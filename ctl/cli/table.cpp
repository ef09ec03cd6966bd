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

constexpr std::size_t terminal = 80;
constexpr std::size_t indent = 4;

/// As many bytes of `text` as fit into `width`, up to a space where there is one, never within a character.
std::size_t first_line(std::string_view text, std::size_t width) {
    std::size_t end = 0;
    std::size_t space = 0;
    for (std::size_t columns = 0; end < text.size(); ++end) {
        if (is_continuation(text[end])) continue;
        if (++columns > width) break;
        if (text[end] == ' ') space = end;
    }
    if (end == text.size() || text[end] == ' ') return end;
    return space > 0 ? space : end;
}

std::string wrapped(std::string_view text) {
    std::string lines;
    while (!text.empty()) {
        const std::size_t end = first_line(text, terminal - indent);
        lines.append(indent, ' ').append(text.substr(0, end)).push_back('\n');
        text.remove_prefix(std::min(text.find_first_not_of(' ', end), text.size()));
    }
    return lines;
}

}  // namespace

void Table::note(std::string_view text) {
    std::string whole{text};
    std::ranges::replace_if(whole, is_control, ' ');
    whole.erase(whole.find_last_not_of(' ') + 1);
    notes_.back() = wrapped(whole);
}

void Table::row(std::vector<std::string> cells) {
    cells.resize(headings_.size());
    for (auto& cell : cells) std::ranges::replace_if(cell, is_control, ' ');
    rows_.push_back(std::move(cells));
    notes_.emplace_back();
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
    for (std::size_t r = 0; r < rows_.size(); ++r) text += line_of(rows_[r]) + notes_[r];
    return text;
}

}  // namespace sluice::ctl
