#include "tests/bench/floor/request.hpp"

#include <charconv>
#include <stdexcept>

#include <strings.h>

namespace sluice::bench {
namespace {

constexpr std::string_view length_name = "content-length";
constexpr std::string_view signature_name = "stripe-signature";

bool is_named(std::string_view line, std::string_view name) {
    return line.size() > name.size() && line[name.size()] == ':' &&
           strncasecmp(line.data(), name.data(), name.size()) == 0;
}

std::string_view value_of(std::string_view line, std::string_view name) {
    line.remove_prefix(name.size() + 1);
    while (line.starts_with(' ')) line.remove_prefix(1);
    return line;
}

}  // namespace

std::optional<Request> read_request(std::string_view bytes) {
    const std::size_t head_end = bytes.find("\r\n\r\n");
    if (head_end == std::string_view::npos) return std::nullopt;
    if (!bytes.starts_with("POST ")) throw std::invalid_argument{"not a POST"};
    Request request;
    std::optional<std::size_t> length;
    std::size_t begin = bytes.find("\r\n") + 2;
    while (begin < head_end) {
        const std::size_t end = bytes.find("\r\n", begin);
        const std::string_view line = bytes.substr(begin, end - begin);
        if (is_named(line, length_name)) {
            const std::string_view text = value_of(line, length_name);
            std::size_t number = 0;
            std::from_chars(text.data(), text.data() + text.size(), number);
            length = number;
        } else if (is_named(line, signature_name)) {
            request.signature = value_of(line, signature_name);
        }
        begin = end + 2;
    }
    if (!length) throw std::invalid_argument{"no Content-Length"};
    request.size = head_end + 4 + *length;
    if (bytes.size() < request.size) return std::nullopt;
    request.body = bytes.substr(head_end + 4, *length);
    return request;
}

}  // namespace sluice::bench
