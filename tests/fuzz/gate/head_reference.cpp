#include "tests/fuzz/gate/head_reference.hpp"

#include <tuple>

#include "common/webhook/gate/grammar.hpp"
#include "tests/fuzz/gate/field_reference.hpp"

namespace sluice::fuzz {
namespace {

using namespace gate;
using Checked = std::expected<void, Refusal>;

/// Removes the line up to the next CRLF from `rest`. The whole ends in CRLFCRLF, so there is one.
std::expected<std::string_view, Refusal> take_line(std::string_view& rest) {
    const std::size_t end = rest.find('\r');
    const std::string_view line = rest.substr(0, end);
    if (line.contains('\n')) return refuse(Refusal::bare_line_feed);
    if (end + 1 == rest.size() || rest[end + 1] != '\n') return refuse(Refusal::bare_carriage_return);
    rest.remove_prefix(end + 2);
    return line;
}

Checked read_version(std::string_view version, Head& head) {
    if (version == "HTTP/1.1") return {};
    head.is_http_1_0 = version == "HTTP/1.0";
    if (head.is_http_1_0) return {};
    const bool well_formed = version.size() == 8 && version.starts_with("HTTP/") && is_digit(version[5]) &&
                             version[6] == '.' && is_digit(version[7]);
    return refuse(well_formed ? Refusal::version : Refusal::request_line);
}

Checked check_target(std::string_view target) {
    if (target.empty()) return refuse(Refusal::request_line);
    if (target.size() > max_target_bytes) return refuse(Refusal::target_too_long);
    if (!std::ranges::all_of(target, is_target_character)) return refuse(Refusal::target_bytes);
    if (target.front() != '/') return refuse(Refusal::target_form);
    if (target.contains('#')) return refuse(Refusal::target_form);
    return {};
}

Checked read_request_line(std::string_view line, Head& head) {
    const std::size_t first = line.find(' ');
    const std::size_t last = line.rfind(' ');
    if (first == line.npos || first == last) return refuse(Refusal::request_line);
    head.method = line.substr(0, first);
    head.target = line.substr(first + 1, last - first - 1);
    if (!is_token(head.method) || head.method.size() > max_method_bytes) return refuse(Refusal::method);
    if (head.target.contains(' ')) return refuse(Refusal::request_line);
    if (const Checked version = read_version(line.substr(last + 1), head); !version) return version;
    if (const Checked target = check_target(head.target); !target) return target;
    const std::size_t mark = head.target.find('?');
    head.path = head.target.substr(0, mark);
    head.query = mark == head.target.npos ? std::string_view{} : head.target.substr(mark + 1);
    return {};
}

Checked read_field(std::string_view line, Head& head) {
    if (is_blank(line.front())) return refuse(Refusal::folded_field);
    if (head.count == max_fields) return refuse(Refusal::too_many_fields);
    const std::size_t colon = line.find(':');
    if (colon == line.npos || !is_token(line.substr(0, colon))) return refuse(Refusal::field_name);
    const std::string_view value = line.substr(colon + 1);
    if (!std::ranges::all_of(value, is_field_character)) return refuse(Refusal::field_value);
    head.has_obs_text = head.has_obs_text || has_obs_text(value);
    head.all[head.count++] = {line.substr(0, colon), trimmed(value)};
    return {};
}

}  // namespace

std::expected<std::size_t, Refusal> find_end_by_hand(std::string_view bytes) {
    if (bytes.empty()) return 0;
    if (!is_token_character(bytes.front()))
        return refuse(bytes.front() == '\n' ? Refusal::bare_line_feed : Refusal::request_line);
    const std::string_view bounded = bytes.substr(0, max_head_bytes);
    for (std::size_t at = 0; (at = bounded.find('\n', at)) != bounded.npos; ++at) {
        if (bounded[at - 1] != '\r') return refuse(Refusal::bare_line_feed);
        if (at >= 3 && bounded[at - 2] == '\n' && bounded[at - 3] == '\r') return at + 1;
    }
    if (bytes.size() >= max_head_bytes) return refuse(Refusal::head_too_large);
    return 0;
}

std::expected<void, Refusal> read_head_by_hand(std::string_view bytes, Head& head) {
    head = {};
    if (!bytes.ends_with("\r\n\r\n")) return refuse(Refusal::request_line);
    const auto request_line = take_line(bytes);
    if (!request_line) return refuse(request_line.error());
    if (const Checked line = read_request_line(*request_line, head); !line) return line;
    while (true) {
        const auto line = take_line(bytes);
        if (!line) return refuse(line.error());
        if (line->empty()) break;
        if (const Checked field = read_field(*line, head); !field) return field;
    }
    if (!bytes.empty()) return refuse(Refusal::request_line);
    return read_fields_by_hand(head);
}

bool is_same_reading(const Head& a, const Head& b) {
    const auto rest = [](const Head& of) {
        return std::tuple{of.method,           of.target,         of.path,        of.query,
                          of.framing.kind,     of.framing.length, of.is_http_1_0, of.keep_alive,
                          of.expects_continue, of.has_obs_text};
    };
    const auto same = [](const webhook::HeaderField& x, const webhook::HeaderField& y) {
        return x.name == y.name && x.value == y.value;
    };
    return rest(a) == rest(b) && std::ranges::equal(a.fields(), b.fields(), same);
}

}  // namespace sluice::fuzz
