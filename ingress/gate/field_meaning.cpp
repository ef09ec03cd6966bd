#include "ingress/gate/field_meaning.hpp"

#include <charconv>
#include <utility>

#include "ingress/gate/grammar.hpp"

namespace sluice::gate {
namespace {

using Checked = std::expected<void, Refusal>;

/// What was seen so far of the fields that may stand once.
struct Seen {
    bool host = false;
    bool content_length = false;
    bool transfer_encoding = false;
    bool unknown_coding = false;
};

/// A name with an underscore is one that proxies and applications map to the name with a dash: it
/// must not look like a name we read, nor like one that is there already.
constexpr std::string_view names_we_read[] = {
    "host",      "content-length", "transfer-encoding", "connection", "keep-alive",      "expect",
    "upgrade",   "trailer",        "content-type",      "forwarded",  "x-forwarded-for", "traceparent",
    "tracestate"};

Checked check_underscores(const Head& head, std::string_view name) {
    if (!name.contains('_')) return {};
    for (const std::string_view known : names_we_read)
        if (equals_with_dashes(name, known)) return refuse(Refusal::underscored_name);
    for (const verify::HeaderField& other : head.fields())
        if (other.name.data() != name.data() && equals_with_dashes(name, other.name))
            return refuse(Refusal::underscored_name);
    return {};
}

Checked read_host(std::string_view value, Seen& seen) {
    if (std::exchange(seen.host, true)) return refuse(Refusal::repeated_host);
    const auto allowed = [](char c) {
        return is_visible(c) && !std::string_view{",/\\?#@\"<>{}|^`"}.contains(c);
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
    if (std::exchange(seen.transfer_encoding, true)) return refuse(Refusal::repeated_transfer_encoding);
    seen.unknown_coding = !equals(value, "chunked");
    head.framing.kind = Framing::Kind::chunked;
    return {};
}

Checked read_connection(std::string_view value, Head& head) {
    while (true) {
        const std::size_t comma = value.find(',');
        const std::string_view option = trimmed(value.substr(0, comma));
        if (equals(option, "close"))
            head.keep_alive = false;
        else if (!equals(option, "keep-alive"))
            return refuse(Refusal::connection_option);
        if (comma == value.npos) return {};
        value.remove_prefix(comma + 1);
    }
}

Checked read_expect(std::string_view value, Head& head) {
    if (!equals(value, "100-continue") || head.expects_continue) return refuse(Refusal::expectation);
    head.expects_continue = true;
    return {};
}

Checked read_one(const verify::HeaderField& field, Head& head, Seen& seen) {
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
        case 17:
            if (equals(field.name, "transfer-encoding"))
                return read_transfer_encoding(field.value, head, seen);
            break;
        default:
            break;
    }
    return check_underscores(head, field.name);
}

}  // namespace

std::expected<void, Refusal> read_meaning(Head& head) {
    Seen seen;
    for (const verify::HeaderField& field : head.fields())
        if (const Checked read = read_one(field, head, seen); !read) return read;
    if (seen.content_length && seen.transfer_encoding) return refuse(Refusal::length_and_coding);
    if (seen.unknown_coding) return refuse(Refusal::transfer_encoding);
    if (!seen.host) return refuse(Refusal::missing_host);
    return {};
}

}  // namespace sluice::gate
