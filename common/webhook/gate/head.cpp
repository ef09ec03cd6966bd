#include "common/webhook/gate/head.hpp"

#include <bit>

#include "common/webhook/gate/broken_rule.hpp"
#include "common/webhook/gate/field_meaning.hpp"
#include "common/webhook/gate/grammar.hpp"
#include "common/webhook/gate/head_bytes.hpp"
#include "common/webhook/gate/head_parser.hpp"

namespace sluice::gate {
namespace {

/// Nobody takes what the request before has left for a part of one that is refused.
void clear(Head& head) {
    head.method = head.target = head.path = head.query = {};
    head.framing = {};
    head.count = 0;
}

}  // namespace

std::expected<std::size_t, Refusal> find_head_end(std::string_view bytes, std::size_t seen) {
    if (bytes.empty()) return 0;
    if (!is_token_character(bytes.front()))
        return refuse(bytes.front() == '\n' ? Refusal::bare_line_feed : Refusal::request_line);
    const std::string_view bounded = bytes.substr(0, max_head_bytes);
    for (std::size_t at = seen; at < bounded.size(); at += sixteen)
        for (unsigned feeds = Sixteen{bounded.substr(at)}.where('\n'); feeds != 0; feeds &= feeds - 1) {
            const std::size_t feed = at + static_cast<std::size_t>(std::countr_zero(feeds));
            if (bounded[feed - 1] != '\r') return refuse(Refusal::bare_line_feed);
            if (feed >= 3 && bounded[feed - 2] == '\n' && bounded[feed - 3] == '\r') return feed + 1;
        }
    if (bytes.size() >= max_head_bytes) return refuse(Refusal::head_too_large);
    return 0;
}

std::expected<void, Refusal> read_head(std::string_view bytes, Head& head) {
    clear(head);
    if (!bytes.ends_with("\r\n\r\n")) return refuse(Refusal::request_line);
    const HeadBytes seen = look_over(bytes);
    if (!seen.are_sound || !parse_head(bytes, head)) return refuse(broken_rule(bytes));
    head.has_obs_text = seen.have_obs_text;
    head.has_underscore = seen.have_underscore;
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
