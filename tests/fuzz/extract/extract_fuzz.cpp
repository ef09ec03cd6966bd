// The extractor against a second JSON parser (nlohmann). The input is a body. Promises, for any bytes:
//   - it is readable exactly when the reference reads it, and then with the same id, type, object, time
//     and mode: no twin of a key, no number, no escape and no UTF-8 means one thing here and another one
//     there;
//   - white space outside strings changes nothing, the digest included; a twin of a key that is read
//     does;
//   - what a pointer names in the text is the value that it names in the tree, whether it is asked for alone
//   or
//     with others, and without white space it is what simdjson::minify makes of it;
//   - why it is not readable is short and printable;
//   - a body that is padded reads as one that is not, and a view that was used before reads as a new
//     one;
//   - what the ingress extracts the consumer decodes: headers go over the wire and come back.
#include <algorithm>
#include <cctype>
#include <cstring>
#include <memory>
#include <string>

#include "common/printable.hpp"
#include "common/webhook/extract/extract.hpp"
#include "tests/fuzz/extract/pointers.hpp"
#include "tests/fuzz/extract/reference.hpp"
#include "tests/fuzz/json/json_mask.hpp"
#include "tests/fuzz/support/input.hpp"
#include "tests/fuzz/support/require.hpp"

namespace sluice::fuzz {
namespace {

const webhook::Source& stripe() {
    static const webhook::SourceSet sources = [] {
        config::Problems problems;
        const auto document = config::Document::from_text(
            "sources: [{name: eu, principal: eu, recipe: stripe}]", "fuzz.yaml", problems);
        return webhook::read_sources_without_keys(document, problems);
    }();
    return *sources.front();
}

webhook::Request request_of(std::string_view body) {
    return {"POST", "/", {}, body};
}

/// With the padding that the session's buffers have, and rubbish in it.
webhook::Readable<webhook::Extracted> extract_padded(std::string_view body, webhook::JsonView& view) {
    std::string padded{body};
    padded.append(64, '"');
    return webhook::extract(stripe(), request_of(std::string_view{padded}.substr(0, body.size())), view,
                            true);
}

std::string without_space(std::string_view json) {
    std::string result;
    bool inside = false;
    for (std::size_t i = 0; i < json.size(); ++i) {
        if (json[i] == '"') inside = !inside;
        if (!inside && std::strchr(" \t\r\n", json[i]) != nullptr) continue;
        result += json[i];
        if (inside && json[i] == '\\') result += json[++i];
    }
    return result;
}

std::vector<std::pair<std::string, std::string>> written_headers(const record::EventHeaders& headers) {
    record::EncodedHeaders memory;
    std::vector<std::pair<std::string, std::string>> pairs;
    for (const auto& [name, value] : memory.encode(headers)) pairs.emplace_back(name, value);
    return pairs;
}

void same(const webhook::Extracted& a, const webhook::Extracted& b, std::string_view promise) {
    require(written_headers(a.headers) == written_headers(b.headers) && a.ordering_key == b.ordering_key,
            promise);
}

void agrees(const webhook::Extracted& extracted, const Facts& facts) {
    const record::EventHeaders& headers = extracted.headers;
    require(headers.event_id == facts.id, "both read one id", headers.event_id);
    require(headers.type == facts.type, "both read one type", headers.type);
    require(headers.object == facts.object, "both read one object", headers.object);
    require(headers.livemode == facts.livemode, "both read one mode");
    require(headers.occurred_at == facts.occurred_at, "both read one time");
    require(extracted.ordering_key == "stripe/eu/" + (facts.object.empty() ? facts.id : facts.object),
            "the key is the object's, or else the event's", extracted.ordering_key);
}

void crosses_the_wire(record::EventHeaders headers) {
    headers.traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    headers.received_at = WallTime{std::chrono::seconds{1'795'258'000}};
    headers.key_id = "first";
    const auto written = written_headers(headers);
    std::vector<record::HeaderView> views;
    for (const auto& [name, value] : written) views.push_back({name, value});
    const auto read = record::decode(views);
    require(read.has_value(), "the consumer decodes what the ingress writes");
    require(read->occurred_at == headers.occurred_at && read->event_day == headers.event_day,
            "times cross the wire");
    require(written_headers(*read) == written, "everything crosses the wire");
}

/// The tree does not tell this character from the halves of pairs that it stands for.
bool has_stand_in(std::string_view body) {
    std::string lower{body};
    std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
    return body.contains(half_pair) || lower.contains(half_pair_escape);
}

void masks_once(std::string_view body) {
    std::string mask(body.size(), ' ');
    std::string again(body.size(), ' ');
    (void)mask_beyond_dom(body, mask.data());
    require(mask_beyond_dom(mask, again.data()) == 0 && again == mask, "a mask has none itself");
}

/// As text for a log and a header of Kafka, whatever the body is.
void can_be_told(const std::string& why) {
    require(!why.empty() && why.size() <= webhook::Unread::longest_why && is_printable(why),
            "why it cannot be read", why);
}

void try_body(std::string_view body) {
    if (has_stand_in(body)) return;
    masks_once(body);
    static webhook::JsonView used;
    webhook::JsonView fresh;
    const auto extracted = webhook::extract(stripe(), request_of(body), used);
    const auto facts = facts_of(body);
    require(extracted.has_value() == facts.has_value(), "both read it, or neither",
            extracted ? "extracted" : extracted.error().why);
    if (!extracted) can_be_told(extracted.error().why);
    if (used.read(body)) pointers_agree(used, *read_json(body));
    const auto padded = extract_padded(body, fresh);
    require(padded.has_value() == extracted.has_value(), "padding changes nothing");
    if (!extracted) return;
    same(*padded, *extracted, "padding changes nothing");
    agrees(*extracted, *facts);
    crosses_the_wire(extracted->headers);
    const auto compact = webhook::extract(stripe(), request_of(without_space(body)), fresh);
    require(compact.has_value(), "white space decides nothing");
    same(*compact, *extracted, "white space decides nothing");
    std::string twin{body};
    twin.insert(twin.find('{') + 1, R"("\u0069d":"evt_twin",)");
    require(!webhook::extract(stripe(), request_of(twin), fresh), "a twin of the id is refused");
}

}  // namespace
}  // namespace sluice::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    sluice::fuzz::try_body(sluice::fuzz::text_of(data, size));
    return 0;
}
