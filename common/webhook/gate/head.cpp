#include "common/webhook/gate/head.hpp"

#include "common/printable.hpp"
#include "common/webhook/gate/field_meaning.hpp"
#include "common/webhook/gate/grammar.hpp"

namespace sluice::gate {
namespace {

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
    if (!is_printable(value)) {
        if (!std::ranges::all_of(value, is_field_character)) return refuse(Refusal::field_value);
        head.has_obs_text = head.has_obs_text || has_obs_text(value);
    }
    head.all[head.count++] = {line.substr(0, colon), trimmed(value)};
    return {};
}

void clear(Head& head) {
    head.method = head.target = head.path = head.query = {};
    head.framing = {};
    head.is_http_1_0 = false;
    head.keep_alive = true;
    head.expects_continue = false;
    head.has_obs_text = false;
    head.count = 0;
}

}  // namespace

std::expected<std::size_t, Refusal> find_head_end(std::string_view bytes, std::size_t seen) {
    if (bytes.empty()) return 0;
    if (!is_token_character(bytes.front()))
        return refuse(bytes.front() == '\n' ? Refusal::bare_line_feed : Refusal::request_line);
    const std::string_view bounded = bytes.substr(0, max_head_bytes);
    for (std::size_t at = seen; (at = bounded.find('\n', at)) != bounded.npos; ++at) {
        if (bounded[at - 1] != '\r') return refuse(Refusal::bare_line_feed);
        if (at >= 3 && bounded[at - 2] == '\n' && bounded[at - 3] == '\r') return at + 1;
    }
    if (bytes.size() >= max_head_bytes) return refuse(Refusal::head_too_large);
    return 0;
}

std::expected<void, Refusal> read_head(std::string_view bytes, Head& head) {
    clear(head);
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
    return read_meaning(head);
}

std::string_view only_value(const Head& head, std::string_view name) noexcept {
    std::string_view value;
    int found = 0;
    for (const webhook::HeaderField& field : head.fields())
        if (equals(field.name, name)) {
            value = field.value;
            ++found;
        }
    return found == 1 ? value : std::string_view{};
}

}  // namespace sluice::gate
