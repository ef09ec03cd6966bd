#include "tests/fuzz/gate/chunk_reference.hpp"

#include <algorithm>
#include <cctype>

namespace sluice::fuzz {
namespace {

constexpr std::string_view line_end = "\r\n";

std::optional<std::size_t> size_in(std::string_view line) {
    const auto is_hex = [](unsigned char c) { return std::isxdigit(c) != 0; };
    if (line.empty() || line.size() > 8 || !std::ranges::all_of(line, is_hex)) return std::nullopt;
    if (line.size() > 1 && line.front() == '0') return std::nullopt;
    return std::stoul(std::string{line}, nullptr, 16);
}

}  // namespace

std::optional<WholeBody> read_chunks(std::string_view wire, std::size_t max_body, std::size_t max_wire) {
    WholeBody body{};
    while (true) {
        const std::size_t end = wire.find(line_end, body.wire);
        if (end == wire.npos) return std::nullopt;
        const auto size = size_in(wire.substr(body.wire, end - body.wire));
        if (!size) return std::nullopt;
        body.wire = end + line_end.size();
        if (*size > max_body - body.content.size() || wire.size() - body.wire < *size + line_end.size())
            return std::nullopt;
        body.content += wire.substr(body.wire, *size);
        body.wire += *size;
        if (wire.substr(body.wire, line_end.size()) != line_end) return std::nullopt;
        body.wire += line_end.size();
        if (body.wire > max_wire) return std::nullopt;
        if (*size == 0) return body;
    }
}

}  // namespace sluice::fuzz
