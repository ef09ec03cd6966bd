#include "ctl/verify/request_file.hpp"

namespace sluice::ctl {
namespace {

constexpr std::string_view blanks = " \t";

std::expected<RequestFile, std::string> split(std::string_view text) {
    const std::size_t crlf = text.find("\r\n\r\n");
    const std::size_t lf = text.find("\n\n");
    if (crlf == std::string_view::npos && lf == std::string_view::npos) {
        return std::unexpected{"the head does not end with an empty line (CRLFCRLF)"};
    }
    RequestFile file;
    file.is_crlf = crlf < lf;
    const std::size_t body = file.is_crlf ? crlf + 4 : lf + 2;
    file.head = text.substr(0, body);
    file.request.body = text.substr(body);
    return file;
}

std::string_view next_line(std::string_view& head) {
    const std::size_t end = head.find('\n');
    std::string_view line = head.substr(0, end);
    head.remove_prefix(end == std::string_view::npos ? head.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
}

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

bool read_request_line(std::string_view line, RequestFile& file) {
    const std::size_t first = line.find(' ');
    const std::size_t last = line.rfind(' ');
    if (first == std::string_view::npos || first == last || !line.substr(last + 1).starts_with("HTTP/"))
        return false;
    file.request.method = line.substr(0, first);
    file.request.target = line.substr(first + 1, last - first - 1);
    return true;
}

bool read_field(std::string_view line, RequestFile& file) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || blanks.contains(line.front())) return false;
    file.fields.push_back({.name = line.substr(0, colon), .value = trimmed(line.substr(colon + 1))});
    return true;
}

}  // namespace

std::expected<RequestFile, std::string> parse_request_file(std::string_view text) {
    auto file = split(text);
    if (!file) return file;
    std::string_view head = file->head;
    if (!read_request_line(next_line(head), *file))
        return std::unexpected{"the first line is not a request line"};
    for (std::string_view line = next_line(head); !line.empty(); line = next_line(head)) {
        if (!read_field(line, *file)) return std::unexpected{"a line of the head is not a header"};
    }
    file->request.headers = file->fields;
    return file;
}

}  // namespace sluice::ctl
