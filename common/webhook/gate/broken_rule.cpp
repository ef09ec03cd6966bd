#include "common/webhook/gate/broken_rule.hpp"

#include "common/webhook/gate/field_meaning.hpp"
#include "common/webhook/gate/grammar.hpp"
#include "common/webhook/gate/request_line.hpp"

namespace sluice::gate {
namespace {

/// Removes the line up to the next CRLF from `rest`. The whole ends in CRLFCRLF, so there is one.
std::expected<std::string_view, Refusal> take_line(std::string_view& rest) {
    const std::size_t end = rest.find('\r');
    const std::string_view line = rest.substr(0, end);
    if (line.contains('\n')) return refuse(Refusal::bare_line_feed);
    if (end + 1 == rest.size() || rest[end + 1] != '\n') return refuse(Refusal::bare_carriage_return);
    rest.remove_prefix(end + 2);
    return line;
}

std::expected<void, Refusal> take_field(std::string_view line, Head& head) {
    if (is_blank(line.front())) return refuse(Refusal::folded_field);
    if (head.count == max_fields) return refuse(Refusal::too_many_fields);
    const std::size_t colon = line.find(':');
    if (colon == line.npos || !is_token(line.substr(0, colon))) return refuse(Refusal::field_name);
    const std::string_view value = line.substr(colon + 1);
    if (!std::ranges::all_of(value, is_field_character)) return refuse(Refusal::field_value);
    head.all[head.count++] = {line.substr(0, colon), trimmed(value)};
    return {};
}

std::expected<void, Refusal> take_lines(std::string_view bytes, Head& head) {
    const auto first = take_line(bytes);
    if (!first) return refuse(first.error());
    if (const auto checked = check_request_line(*first, head.is_http_1_0); !checked) return checked;
    while (true) {
        const auto line = take_line(bytes);
        if (!line) return refuse(line.error());
        if (line->empty()) break;
        if (const auto field = take_field(*line, head); !field) return field;
    }
    if (!bytes.empty()) return refuse(Refusal::request_line);
    return {};
}

}  // namespace

Refusal broken_rule(std::string_view bytes) {
    Head head;
    head.has_obs_text = head.has_underscore = true;  // for all that is known here
    if (const auto taken = take_lines(bytes, head); !taken) return taken.error();
    const auto meaning = read_meaning(head);
    return meaning ? Refusal::second_opinion : meaning.error();
}

}  // namespace sluice::gate
