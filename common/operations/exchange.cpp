#include "common/operations/exchange.hpp"

#include <format>

namespace sluice::operations {
namespace {

std::string_view reason_of(int status) {
    switch (status) {
        case 200:
            return "OK";
        case 400:
            return "Bad Request";
        case 404:
            return "Not Found";
        case 503:
            return "Service Unavailable";
        default:
            return "Internal Server Error";
    }
}

}  // namespace

bool has_head(std::string_view bytes) noexcept {
    return bytes.contains("\r\n\r\n");
}

Asked read_head(std::string_view head) noexcept {
    const std::string_view line = head.substr(0, head.find('\r'));
    const std::size_t first = line.find(' ');
    const std::size_t last = line.rfind(' ');
    const std::string_view method = line.substr(0, first);
    if (first == last || (method != "GET" && method != "HEAD")) return {};
    const std::string_view target = line.substr(first + 1, last - first - 1);
    return {target.substr(0, target.find('?')), method == "GET"};
}

std::string written(const Reply& reply, bool with_body) {
    return std::format(
        "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{}",
        reply.status, reason_of(reply.status), reply.type, reply.body.size(),
        with_body ? std::string_view{reply.body} : std::string_view{});
}

}  // namespace sluice::operations
