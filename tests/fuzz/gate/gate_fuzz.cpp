// Gate alone: the bytes of a connection, up to the end of a chunked body. Promises, for any bytes:
//   - what is said of a head does not depend on the pieces it comes in, nor on how often it is asked;
//   - a head is let through only if the reader that went before Beast lets it through, with the same method,
//     target, path, fields, framing and keep-alive; it is refused by the name that this reader says;
//   - a refusal of a head is one of those of heads (the closed set of gate/gate_refusal.hpp);
//   - what is let through lies inside the bytes, has one Host and one framing, nothing but ASCII in the
//     fields that are read, and reads the same when it is written down again, in whatever case the names are;
//   - what speaks HTTP/1.0 is not chunked, and its connection ends;
//   - chunks are taken exactly where a decoder that was written apart takes them, with the same content
//     and the same number of bytes; the verdict does not depend on the pieces; both limits hold at every
//     step.
#include <algorithm>
#include <cctype>
#include <string>

#include "common/webhook/gate/head.hpp"
#include "tests/fuzz/gate/chunks.hpp"
#include "tests/fuzz/gate/head_reference.hpp"
#include "tests/fuzz/support/input.hpp"
#include "tests/fuzz/support/require.hpp"
#include "tests/fuzz/support/splits.hpp"

namespace sluice::fuzz {
namespace {

using gate::Head;
using gate::Refusal;

/// As a session does it: the buffer grows, and what was seen is not looked at again.
std::expected<std::size_t, Refusal> end_in_pieces(std::string_view bytes, int round) {
    std::size_t seen = 0;
    for (Splits pieces{bytes, round}; !pieces.done();) {
        const std::string_view so_far = bytes.substr(0, seen + pieces.next().size());
        const auto end = gate::find_head_end(so_far, seen);
        if (!end || *end > 0) return end;
        seen = so_far.size();
    }
    return 0;
}

bool is_named(const webhook::HeaderField& field, std::string_view lower_name) {
    return std::ranges::equal(field.name, lower_name, {}, [](unsigned char c) { return std::tolower(c); });
}

std::size_t count_of(const Head& head, std::string_view lower_name) {
    return static_cast<std::size_t>(
        std::ranges::count_if(head.fields(), [&](const auto& field) { return is_named(field, lower_name); }));
}

void framing_is_beyond_doubt(const Head& head) {
    using enum gate::Framing::Kind;
    const std::size_t lengths = count_of(head, "content-length");
    const std::size_t codings = count_of(head, "transfer-encoding");
    require(count_of(head, "host") == 1, "a head has one Host");
    require(lengths == (head.framing.kind == length ? 1 : 0), "a length comes from one field");
    require(codings == (head.framing.kind == chunked ? 1 : 0), "a coding comes from one field");
    require(!head.is_http_1_0 || (head.framing.kind != chunked && !head.keep_alive && !head.expects_continue),
            "HTTP/1.0 has a length or nothing, and its connection ends");
    if (head.framing.kind == length)
        require(gate::only_value(head, "content-length") == std::to_string(head.framing.length),
                "a length is what is written");
}

/// Bytes above 0x7f stand only where nobody looks.
void what_is_read_is_ascii(const Head& head) {
    for (const std::string_view name :
         {"host", "content-length", "transfer-encoding", "connection", "expect", "content-type", "forwarded",
          "x-forwarded-for", "traceparent", "tracestate"})
        for (const auto& field : head.fields())
            if (is_named(field, name))
                require(std::ranges::all_of(field.value, [](unsigned char c) { return c < 0x80; }),
                        "a field that is read is ASCII", name);
}

void lies_inside(std::string_view bytes, const Head& head) {
    const auto inside = [&](std::string_view part) {
        return part.empty() ||
               (part.data() >= bytes.data() && part.data() + part.size() <= bytes.data() + bytes.size());
    };
    bool all = inside(head.method) && inside(head.target) && inside(head.path) && inside(head.query);
    for (const auto& field : head.fields()) all = all && inside(field.name) && inside(field.value);
    require(all, "a head is made of the bytes that came");
    require(head.target == head.path || head.target == std::string{head.path} + "?" + std::string{head.query},
            "a target is its path and its query");
}

/// The head once more, from what was read of it, with every other letter of the names in the other case.
std::string written_again(const Head& head) {
    const std::string version = head.is_http_1_0 ? " HTTP/1.0\r\n" : " HTTP/1.1\r\n";
    std::string text = std::string{head.method} + " " + std::string{head.target} + version;
    for (const auto& field : head.fields()) {
        for (std::size_t i = 0; i < field.name.size(); ++i) {
            const auto c = static_cast<unsigned char>(field.name[i]);
            text += static_cast<char>(i % 2 == 0 ? std::toupper(c) : std::tolower(c));
        }
        text += ": " + std::string{field.value} + "\r\n";
    }
    return text + "\r\n";
}

void reads_the_same(const Head& head) {
    static Head other;
    const std::string again = written_again(head);
    require(gate::read_head(again, other).has_value(), "a head that is written down again is accepted",
            again);
    const bool same = other.method == head.method && other.target == head.target &&
                      other.count == head.count && other.is_http_1_0 == head.is_http_1_0 &&
                      other.has_obs_text == head.has_obs_text && other.framing.kind == head.framing.kind &&
                      other.framing.length == head.framing.length && other.keep_alive == head.keep_alive &&
                      other.expects_continue == head.expects_continue &&
                      std::ranges::equal(other.fields(), head.fields(), {}, &webhook::HeaderField::value,
                                         &webhook::HeaderField::value);
    require(same, "a head that is written down again reads the same", again);
}

/// Whatever stands behind an empty line in `bytes`.
void reads_as_by_hand(std::string_view bytes) {
    static Head head;
    static Head other;
    const auto read = gate::read_head(bytes, head);
    const auto by_hand = read_head_by_hand(bytes, other);
    const auto name = [](const auto& said) { return said ? "taken" : gate::row_of(said.error()).name; };
    require(name(read) == name(by_hand), "both take a head, or both refuse it by one name",
            std::string{name(read)} + ", by hand " + std::string{name(by_hand)});
    require(!read || is_same_reading(head, other), "both read the same head");
}

/// Bytes that are no whole head are left to the chunks.
std::size_t try_head(std::string_view bytes) {
    static Head head;
    reads_as_by_hand(bytes);
    const auto end = gate::find_head_end(bytes);
    for (int round = 0; round < Splits::rounds; ++round)
        require(end_in_pieces(bytes, round) == end, "the end of a head does not depend on the pieces");
    require(find_end_by_hand(bytes) == end, "the end of a head is where it was found by hand");
    if (!end || *end == 0) return 0;
    require(*end <= gate::max_head_bytes && *end <= bytes.size(), "a head is bounded");
    const auto read = gate::read_head(bytes.substr(0, *end), head);
    reads_as_by_hand(bytes.substr(0, *end));
    if (!read) {
        require(read.error() <= Refusal::connection_option, "a head is refused as a head",
                gate::row_of(read.error()).name);
        return *end;
    }
    lies_inside(bytes.substr(0, *end), head);
    framing_is_beyond_doubt(head);
    what_is_read_is_ascii(head);
    reads_the_same(head);
    return *end;
}

}  // namespace
}  // namespace sluice::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes = sluice::fuzz::text_of(data, size);
    const std::size_t head = sluice::fuzz::try_head(bytes);
    sluice::fuzz::try_chunks(bytes.substr(head));
    return 0;
}
