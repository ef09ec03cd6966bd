#include "tests/fuzz/gate/field_reference.hpp"

#include <charconv>
#include <utility>

#include "common/webhook/gate/grammar.hpp"

namespace sluice::fuzz {
namespace {

using namespace gate;
using Checked = std::expected<void, Refusal>;

/// What was seen so far of the fields that may occur once.
struct Seen {
    bool host = false;
    bool content_length = false;
    bool transfer_encoding = false;
    bool repeated_coding = false;
    bool unknown_coding = false;
};

constexpr std::string_view names_we_read[] = {
    "host",       "content-length",  "transfer-encoding", "connection", "proxy-connection",
    "keep-alive", "expect",          "upgrade",           "trailer",    "content-type",
    "forwarded",  "x-forwarded-for", "traceparent",       "tracestate"};

/// Proxies and applications map a name with an underscore to the name with a dash: it must not look
/// like a name we read, nor like one that is there already.
Checked check_underscores(const Head& head, std::string_view name) {
    if (!name.contains('_')) return {};
    for (const std::string_view known : names_we_read)
        if (equals_with_dashes(name, known)) return refuse(Refusal::underscored_name);
    for (const webhook::HeaderField& other : head.fields())
        if (other.name.data() != name.data() && equals_with_dashes(name, other.name))
            return refuse(Refusal::underscored_name);
    return {};
}

Checked check_obs_text(const webhook::HeaderField& field) {
    const bool is_read =
        std::ranges::any_of(names_we_read, [&](std::string_view name) { return equals(field.name, name); });
    return is_read && has_obs_text(field.value) ? refuse(Refusal::field_value) : Checked{};
}

Checked read_host(std::string_view value, Seen& seen) {
    if (std::exchange(seen.host, true)) return refuse(Refusal::repeated_host);
    const auto allowed = [](char c) {
        return c > 0x20 && c < 0x7f && !std::string_view{",/\\?#@\"<>{}|^`"}.contains(c);
    };
    if (value.empty() || value.size() > 255 || !std::ranges::all_of(value, allowed))
        return refuse(Refusal::host);
    return {};
}

Checked read_content_length(std::string_view value, Head& head, Seen& seen) {
    if (std::exchange(seen.content_length, true)) return refuse(Refusal::repeated_content_length);
    const bool plain = !value.empty() && value.size() <= 8 && std::ranges::all_of(value, is_digit) &&
                       (value.size() == 1 || value.front() != '0');
    if (!plain) return refuse(Refusal::content_length);
    std::from_chars(value.data(), value.data() + value.size(), head.framing.length);
    head.framing.kind = Framing::Kind::length;
    return {};
}

Checked read_transfer_encoding(std::string_view value, Head& head, Seen& seen) {
    if (std::exchange(seen.transfer_encoding, true)) seen.repeated_coding = true;
    if (!equals(value, "chunked")) seen.unknown_coding = true;
    head.framing.kind = Framing::Kind::chunked;
    return {};
}

/// Options are for the sender's end of the connection. We act on Close only; none of them removes a field
/// that we read.
Checked read_connection(std::string_view value, Head& head) {
    while (true) {
        const std::size_t comma = value.find(',');
        const std::string_view option = trimmed(value.substr(0, comma));
        if (!option.empty() && !is_token(option)) return refuse(Refusal::connection_option);
        if (equals(option, "close")) head.keep_alive = false;
        if (comma == value.npos) return {};
        value.remove_prefix(comma + 1);
    }
}

Checked read_expect(std::string_view value, Head& head) {
    if (!equals(value, "100-continue") || head.expects_continue) return refuse(Refusal::expectation);
    head.expects_continue = true;
    return {};
}

Checked read_one(const webhook::HeaderField& field, Head& head, Seen& seen) {
    switch (field.name.size()) {
        case 4:
            if (equals(field.name, "host")) return read_host(field.value, seen);
            break;
        case 6:
            if (equals(field.name, "expect")) return read_expect(field.value, head);
            break;
        case 7:
            if (equals(field.name, "upgrade")) return refuse(Refusal::upgrade);
            break;
        case 10:
            if (equals(field.name, "connection")) return read_connection(field.value, head);
            break;
        case 14:
            if (equals(field.name, "content-length")) return read_content_length(field.value, head, seen);
            break;
        case 16:  // what clients send to proxies
            if (equals(field.name, "proxy-connection")) return read_connection(field.value, head);
            break;
        case 17:
            if (equals(field.name, "transfer-encoding"))
                return read_transfer_encoding(field.value, head, seen);
            break;
        default:
            break;
    }
    return check_underscores(head, field.name);
}

/// How the body is delimited must be beyond doubt.
Checked check_framing(const Head& head, const Seen& seen) {
    if (seen.content_length && seen.transfer_encoding) return refuse(Refusal::length_and_coding);
    if (seen.transfer_encoding && head.is_http_1_0) return refuse(Refusal::transfer_encoding_in_1_0);
    if (seen.unknown_coding) return refuse(Refusal::transfer_encoding);
    if (seen.repeated_coding) return refuse(Refusal::repeated_transfer_encoding);
    return {};
}

/// For HTTP/1.0: no expectations (RFC 9110 section 10.1.1) and no kept connection.
void answer_and_close(Head& head) {
    head.keep_alive = false;
    head.expects_continue = false;
}

}  // namespace

std::expected<void, Refusal> read_fields_by_hand(Head& head) {
    Seen seen;
    for (const webhook::HeaderField& field : head.fields()) {
        if (const Checked read = read_one(field, head, seen); !read) return read;
        if (head.has_obs_text)
            if (const Checked plain = check_obs_text(field); !plain) return plain;
    }
    if (const Checked framing = check_framing(head, seen); !framing) return framing;
    if (!seen.host) return refuse(Refusal::missing_host);
    if (head.is_http_1_0) answer_and_close(head);
    return {};
}

}  // namespace sluice::fuzz
