// Gate and Beast's own parser of whole requests, which others use as it is. Promises, for any bytes:
//   - what the gate lets through, it takes too;
//   - fed in random pieces, it sees the gate's method, target, version, fields, framing and keep-alive;
//   - a body that the gate's decoder or the length delimits is the body that Beast sees, and ends at the
//     same byte: no request is left behind another one.
#include <boost/asio/buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/webhook/gate/head.hpp"
#include "ingress/gate/chunked_body.hpp"
#include "tests/fuzz/support/input.hpp"
#include "tests/fuzz/support/require.hpp"
#include "tests/fuzz/support/splits.hpp"

namespace sluice::fuzz {
namespace {

namespace http = boost::beast::http;
using Parser = http::request_parser<http::string_body>;
using Fields = std::vector<std::pair<std::string, std::string>>;

constexpr std::size_t max_body = 64 * 1024;
constexpr std::size_t least_chunk = 5;  // 0 CRLF CRLF

struct Body {
    std::string content;
    std::size_t wire;
};

/// As the session delimits it; nothing when it is not whole, or refused.
std::optional<Body> body_by_gate(const gate::Framing& framing, std::string_view rest) {
    if (framing.kind == gate::Framing::Kind::none) return Body{"", 0};
    if (framing.kind == gate::Framing::Kind::length) {
        if (framing.length > rest.size()) return std::nullopt;
        return Body{std::string{rest.substr(0, framing.length)}, framing.length};
    }
    gate::ChunkedBody decoder{max_body, 2 * max_body};
    Body body{};
    const auto progress = decoder.feed(rest, body.content);
    if (!progress || !progress->complete) return std::nullopt;
    body.wire = progress->consumed;
    return body;
}

/// By name, then in their order: Beast keeps fields of one name together.
Fields sorted(Fields fields) {
    std::ranges::stable_sort(fields, {}, &Fields::value_type::first);
    return fields;
}

std::string lower(std::string_view text) {
    std::string result{text};
    std::ranges::transform(result, result.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

Fields fields_of(const gate::Head& head) {
    Fields fields;
    for (const auto& field : head.fields()) fields.emplace_back(lower(field.name), field.value);
    return sorted(std::move(fields));
}

Fields fields_of(const Parser& parser) {
    Fields fields;
    for (const auto& field : parser.get()) fields.emplace_back(lower(field.name_string()), field.value());
    return sorted(std::move(fields));
}

/// Feeds Beast in pieces until it has what it wants; the number of bytes that it took.
std::size_t feed(Parser& parser, std::string_view bytes, int round) {
    std::string waiting;
    std::size_t taken = 0;
    for (Splits pieces{bytes, round}; !pieces.done() && !parser.is_done();) {
        waiting += pieces.next();
        // Beast 1.83 asserts that a last chunk comes with its empty line: never feed it less.
        if (parser.is_header_done() && parser.chunked() && waiting.size() < least_chunk) continue;
        boost::system::error_code error;
        const std::size_t now = parser.put(boost::asio::buffer(waiting), error);
        require(!error || error == http::error::need_more, "Beast takes what the gate takes",
                error.message());
        waiting.erase(0, now);
        taken += now;
    }
    return taken;
}

void agree(std::string_view bytes, const gate::Head& head, const Body& body, std::size_t head_size,
           int round) {
    Parser parser;
    parser.eager(true);
    parser.header_limit(gate::max_head_bytes + 1);
    parser.body_limit(boost::none);
    const std::size_t taken = feed(parser, bytes, round);
    require(parser.is_done(), "Beast sees the end of the request");
    require(taken == head_size + body.wire, "both end a request at the same byte", std::to_string(taken));
    require(parser.get().method_string() == head.method, "both read one method");
    require(parser.get().target() == head.target, "both read one target");
    require(parser.get().version() == (head.is_http_1_0 ? 10 : 11), "both read one version");
    require(head.is_http_1_0 ? !head.keep_alive : parser.keep_alive() == head.keep_alive,
            "both keep the connection, or neither; of HTTP/1.0 the gate keeps none");
    require(fields_of(parser) == fields_of(head), "both read the same fields");
    require(parser.get().body() == body.content, "both read the same body");
}

void try_request(std::string_view bytes) {
    static gate::Head head;
    const auto end = gate::find_head_end(bytes);
    if (!end || *end == 0) return;
    if (!gate::read_head(bytes.substr(0, *end), head)) return;
    const auto body = body_by_gate(head.framing, bytes.substr(*end));
    if (!body) return;
    for (int round = 0; round < Splits::rounds; ++round) agree(bytes, head, *body, *end, round);
}

}  // namespace
}  // namespace sluice::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    sluice::fuzz::try_request(sluice::fuzz::text_of(data, size));
    return 0;
}
