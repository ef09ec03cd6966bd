#include "common/webhook/gate/raw_response.hpp"

#include <format>

namespace sluice::gate {
namespace {

std::string_view reason_of(int status) {
    switch (status) {
        case 200:
            return "OK";
        case 201:
            return "Created";
        case 202:
            return "Accepted";
        case 204:
            return "No Content";
        case 400:
            return "Bad Request";
        case 401:
            return "Unauthorized";
        case 403:
            return "Forbidden";
        case 404:
            return "Not Found";
        case 405:
            return "Method Not Allowed";
        case 408:
            return "Request Timeout";
        case 409:
            return "Conflict";
        case 411:
            return "Length Required";
        case 413:
            return "Content Too Large";
        case 414:
            return "URI Too Long";
        case 415:
            return "Unsupported Media Type";
        case 417:
            return "Expectation Failed";
        case 422:
            return "Unprocessable Content";
        case 429:
            return "Too Many Requests";
        case 431:
            return "Request Header Fields Too Large";
        case 500:
            return "Internal Server Error";
        case 501:
            return "Not Implemented";
        case 502:
            return "Bad Gateway";
        case 503:
            return "Service Unavailable";
        case 505:
            return "HTTP Version Not Supported";
        default:
            return "Answer";
    }
}

}  // namespace

std::string raw_response(const webhook::Answer& answer, std::string_view extra_fields, After after) {
    std::string text = std::format("HTTP/1.1 {} {}\r\n", answer.status, reason_of(answer.status));
    if (!answer.content_type.empty()) text += std::format("Content-Type: {}\r\n", answer.content_type);
    if (answer.status != 204) text += std::format("Content-Length: {}\r\n", answer.body.size());
    text += extra_fields;
    if (after == After::close) text += "Connection: close\r\n";
    text += "\r\n";
    if (answer.status != 204) text += answer.body;
    return text;
}

void write_dated(std::string& out, std::string_view response, std::string_view date_line) {
    const std::size_t fields = response.find("\r\n") + 2;
    out.assign(response.substr(0, fields)).append(date_line).append(response.substr(fields));
}

std::string_view continue_response() noexcept {
    return "HTTP/1.1 100 Continue\r\n\r\n";
}

}  // namespace sluice::gate
