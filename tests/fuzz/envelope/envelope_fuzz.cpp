// The envelope: record headers and dead-letter headers. The input is a list of headers, each name, \x1f,
// value, ended by \x1e. Promises, for any headers:
//   - what is decoded, encoded and decoded again is the same event, and encoding is a fixed point;
//   - the order of the headers does not matter, but among those of one name;
//   - both forms of an event say the same, with and without the request's headers, where its texts are UTF-8:
//     a packed header has no others;
//   - a required header that stands twice or is missing makes the record undecodable;
//   - a dead letter keeps every header of the record that is no notice's, in order and untouched, has
//     each notice header once, in the encodings that Spring and Kafka Connect read, and decodes to the
//     same event;
//   - the dead letter of a dead letter has the headers of the first.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/record/event_record.hpp"
#include "common/utf8.hpp"
#include "consumer/publish/dlq_record.hpp"
#include "tests/fuzz/support/input.hpp"
#include "tests/fuzz/support/require.hpp"

namespace sluice::fuzz {
namespace {

using namespace std::string_view_literals;
using Pairs = std::vector<std::pair<std::string, std::string>>;
using Views = std::vector<record::HeaderView>;

const consumer::Origin origin{"payments.webhooks.v1", "sluice"};
constexpr std::array optional_names{"ce_subject"sv,  "ce_time"sv,     "tracestate"sv,      "sluice-trust"sv,
                                    "sluice-item"sv, "sluice-keys"sv, "sluice-original"sv, "sluice-client"sv};
constexpr std::int32_t partition = 0x01020304;
constexpr std::int64_t offset = 0x0102030405060708;

Views views_of(const Pairs& pairs) {
    Views views;
    for (const auto& [name, value] : pairs) views.push_back({name, value});
    return views;
}

Views headers_in(std::string_view input) {
    Views headers;
    for (const std::string_view one : parts_of(input, '\x1e')) {
        const std::size_t mark = one.find('\x1f');
        if (mark != one.npos) headers.push_back({one.substr(0, mark), one.substr(mark + 1)});
    }
    return headers;
}

std::optional<Pairs> decoded(const Views& headers) {
    const auto event = record::decode(headers);
    if (!event) return std::nullopt;
    record::EncodedHeaders memory;
    Pairs pairs;
    for (const auto& [name, value] : memory.encode(*event)) pairs.emplace_back(name, value);
    return pairs;
}

void survives_a_round(const Views& headers) {
    const auto once = decoded(headers);
    if (!once) return;
    const auto twice = decoded(views_of(*once));
    require(twice.has_value(), "what is encoded can be decoded");
    require(*twice == *once, "encoding is a fixed point");
    const bool is_packed = std::ranges::contains(headers, "sluice", &record::HeaderView::name);
    require(is_packed || once->size() <= 18 + headers.size(), "an envelope does not grow");
    for (std::size_t i = 0; i < once->size(); ++i) {
        Views more = views_of(*once);
        const std::string_view name = more[i].name;
        const bool optional = std::ranges::contains(optional_names, name) || name.starts_with("http-");
        more.push_back(more[i]);
        require(decoded(more).has_value() == optional, "a required header stands once", name);
        more.pop_back();
        more.erase(more.begin() + static_cast<std::ptrdiff_t>(i));
        require(decoded(more).has_value() == optional, "a required header is there", name);
    }
}

bool is_all_utf8(const record::EventHeaders& event) {
    return std::ranges::all_of(std::array{&event.source, &event.provider, &event.principal, &event.event_id,
                                          &event.type, &event.content_type, &event.key_id, &event.keys},
                               [](const std::string* text) { return is_utf8(*text); });
}

void forms_agree(const Views& headers) {
    auto event = record::decode(headers);
    auto without = record::decode(headers, record::HttpHeaders::left_out);
    require(event.has_value() == without.has_value(), "the request's headers are looked at in any case");
    if (!event) return;
    for (const auto form : {HeaderForm::packed, HeaderForm::cloudevents}) {
        record::EncodedHeaders memory{form};
        const auto again = record::decode(memory.encode(*event));
        const bool may_refuse = form == HeaderForm::packed && !is_all_utf8(*event);
        require(again ? *again == *event : may_refuse, "both forms say the same", name_of(form));
    }
    event->http.clear();
    require(*without == *event, "nothing else is left out");
}

void order_does_not_matter(Views headers) {
    const auto first = decoded(headers);
    const bool has_http =
        std::ranges::any_of(headers, [](const auto& h) { return h.name.starts_with("http-"); });
    std::ranges::stable_sort(headers, {}, &record::HeaderView::name);
    const auto second = decoded(headers);
    require(first.has_value() == second.has_value() && (has_http || first == second),
            "the order does not matter");
}

bool is_of_a_notice(std::string_view name) {
    return name.starts_with("kafka_dlt-") || name.starts_with("__connect.errors.") ||
           name == "retry_topic-attempts" || name == "sluice-attempt" || name == "sluice-error-class" ||
           name == "sluice-first-failed-at";
}

std::string only(const Pairs& pairs, std::string_view name) {
    const auto count = std::ranges::count(pairs, name, &Pairs::value_type::first);
    require(count == 1, "a notice says it once", name);
    return std::ranges::find(pairs, name, &Pairs::value_type::first)->second;
}

void dies_once(const Views& headers) {
    consumer::Record record;
    record.at = {partition, offset, 0};
    record.headers = headers;
    const std::string reason{headers.empty() ? "" : headers.front().value};
    const consumer::DeathNotice notice{"data", reason, 7, {}};
    const Pairs letter = consumer::dead_letter_headers(record, origin, notice);

    Pairs kept;
    for (const auto& [name, value] : headers)
        if (!is_of_a_notice(name)) kept.emplace_back(name, value);
    require(letter.size() > kept.size() && std::equal(kept.begin(), kept.end(), letter.begin()),
            "a dead letter keeps the record's own headers");
    require(only(letter, "kafka_dlt-original-partition") == std::string("\x01\x02\x03\x04", 4),
            "Spring reads an int");
    require(only(letter, "kafka_dlt-original-offset") == std::string("\x01\x02\x03\x04\x05\x06\x07\x08", 8),
            "Spring reads a long");
    require(only(letter, "retry_topic-attempts") == std::string("\0\0\0\x07", 4), "Spring reads attempts");
    require(only(letter, "__connect.errors.offset") == std::to_string(offset), "Connect reads text");
    require(only(letter, "__connect.errors.exception.message") == reason.substr(0, 1024), "a reason is cut");
    require(only(letter, "sluice-attempt") == "7" && only(letter, "sluice-error-class") == "data",
            "ours is there");
    require(decoded(views_of(letter)) == decoded(headers), "a dead letter is the same event");

    consumer::Record again = record;
    again.headers = views_of(letter);
    require(consumer::dead_letter_headers(again, origin, notice) == letter,
            "a notice replaces the one before");
}

}  // namespace
}  // namespace sluice::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto headers = sluice::fuzz::headers_in(sluice::fuzz::text_of(data, size));
    sluice::fuzz::survives_a_round(headers);
    sluice::fuzz::forms_agree(headers);
    sluice::fuzz::order_does_not_matter(headers);
    sluice::fuzz::dies_once(headers);
    return 0;
}
