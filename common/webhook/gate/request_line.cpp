#include "common/webhook/gate/request_line.hpp"

#include "common/webhook/gate/grammar.hpp"
#include "common/webhook/gate/head.hpp"

namespace sluice::gate {
namespace {

std::expected<void, Refusal> check_version(std::string_view version, bool& is_http_1_0) {
    is_http_1_0 = version == "HTTP/1.0";
    if (is_http_1_0 || version == "HTTP/1.1") return {};
    const bool well_formed = version.size() == 8 && version.starts_with("HTTP/") && is_digit(version[5]) &&
                             version[6] == '.' && is_digit(version[7]);
    return refuse(well_formed ? Refusal::version : Refusal::request_line);
}

}  // namespace

std::expected<void, Refusal> check_method(std::string_view method) {
    if (!is_token(method) || method.size() > max_method_bytes) return refuse(Refusal::method);
    return {};
}

std::expected<void, Refusal> check_target(std::string_view target) {
    if (target.empty()) return refuse(Refusal::request_line);
    if (target.size() > max_target_bytes) return refuse(Refusal::target_too_long);
    if (!std::ranges::all_of(target, is_target_character)) return refuse(Refusal::target_bytes);
    if (target.front() != '/' || target.contains('#')) return refuse(Refusal::target_form);
    return {};
}

std::expected<void, Refusal> check_request_line(std::string_view line, bool& is_http_1_0) {
    const std::size_t first = line.find(' ');
    const std::size_t last = line.rfind(' ');
    if (first == line.npos || first == last) return refuse(Refusal::request_line);
    const std::string_view target = line.substr(first + 1, last - first - 1);
    if (const auto method = check_method(line.substr(0, first)); !method) return method;
    if (target.contains(' ')) return refuse(Refusal::request_line);
    if (const auto version = check_version(line.substr(last + 1), is_http_1_0); !version) return version;
    return check_target(target);
}

}  // namespace sluice::gate
