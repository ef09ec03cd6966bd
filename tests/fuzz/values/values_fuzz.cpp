// Values of effects. The input is a letter that chooses one line of `lines` (how a value is read), and JSON,
// which stands in a body. Promises, for any JSON:
//   - a value is made exactly when the reference makes one (reference.hpp), and it is the same;
//   - what has no value says why, and only a value that stands there is quoted;
//   - a text in a header makes what the same text makes in the body;
//   - of two places the second counts only where the first is not there.
#include <array>
#include <memory_resource>
#include <string>
#include <variant>

#include "common/error.hpp"
#include "consumer/effects/value/parameters.hpp"
#include "tests/fuzz/support/input.hpp"
#include "tests/fuzz/support/require.hpp"
#include "tests/fuzz/values/reference.hpp"

namespace sluice::fuzz {
namespace {

using effects::Parameter;
using store::Datum;
using webhook::JsonType;
using Wanted = std::optional<Datum>;

Wanted as_datum(std::optional<std::int64_t> number) {
    return number ? Wanted{*number} : std::nullopt;
}
Wanted as_datum(std::optional<WallTime> time) {
    return time ? Wanted{*time} : std::nullopt;
}
Wanted as_text(const std::optional<std::string>& text) {
    return text ? Wanted{std::string_view{*text}} : std::nullopt;
}
Wanted as_bytes(const std::optional<std::string>& bytes) {
    return bytes ? Wanted{store::Bytes{*bytes}} : std::nullopt;
}

/// Keeps what a wanted text is a view of.
std::optional<std::string> kept;

Wanted text(const Standing& value) {
    return value.type == JsonType::string ? Wanted{std::string_view{value.text}} : std::nullopt;
}
Wanted truth(const Standing& value) {
    return value.type == JsonType::boolean ? Wanted{std::int64_t{value.text == "true"}} : std::nullopt;
}
template <int scale>
Wanted minor(const Standing& value) {
    return as_datum(minor_units(value, scale));
}
template <int scale>
Wanted units(const Standing& value) {
    return as_text(kept = decimal(value, scale));
}
Wanted number(const Standing& value) {
    return as_datum(whole_number(value));
}
Wanted twice(const Standing& value) {
    return whole_number(value) ? Wanted{std::int64_t{0}} : std::nullopt;
}
Wanted hex(const Standing& value) {
    return as_bytes(kept = bytes_of_hex(value));
}
Wanted base64(const Standing& value) {
    return as_bytes(kept = bytes_of_base64(value));
}
Wanted json(const Standing& value) {
    return as_text(kept = without_space(value.letters));
}
Wanted compact(const Standing& value) {
    return as_datum(compact_time(value));
}
template <std::int64_t per_second>
Wanted since_1970(const Standing& value) {
    return as_datum(unix_time(value, per_second));
}
Wanted line_of_map(const Standing& value) {
    const bool is_one = value.type != JsonType::array && value.type != JsonType::object;
    if (is_one && value.text == "1") return std::int64_t{8888};
    return is_one && value.text == "true" ? Wanted{std::int64_t{-1}} : std::nullopt;
}
Wanted line_or_default(const Standing& value) {
    return line_of_map(value).value_or(std::int64_t{7});
}

struct Line {
    const char* how;
    Wanted (*wanted)(const Standing&);
    bool is_of_text = true;  ///< a header can be read so
};

constexpr std::array<Line, 24> lines{{
    {"as: text", text},
    {"as: int64", number},
    {"as: int64, minus: /v", twice, false},
    {"as: boolean", truth, false},
    {"as: minor, scale: 0", minor<0>},
    {"as: minor, scale: 2", minor<2>},
    {"as: minor, scale: 18", minor<18>},
    {"as: minor, currency: JPY", minor<0>},
    {"as: minor, currency: CNY", minor<2>},
    {"as: minor, currency: /dinar", minor<3>},
    {"as: minor, currency: /yen", minor<0>},
    {"as: decimal, scale: 0", units<0>},
    {"as: decimal, scale: 2", units<2>},
    {"as: decimal, scale: 18", units<18>},
    {"as: decimal, currency: /dinar", units<3>},
    {"as: hex", hex},
    {"as: base64", base64},
    {"as: json", json, false},
    {"as: time, forms: compact, zone: '+08:00'", compact},
    {"as: time, forms: unix", since_1970<1>},
    {"as: time, forms: unix-ms", since_1970<1000>},
    {"as: int64, map: {1: 8888, true: -1}", line_of_map},
    {"as: int64, map: {1: 8888, true: -1}, default: 7", line_or_default},
    {"as: minor, scale: 2, map: {1: 88.88, true: '-0.01'}", line_of_map},
}};

Parameter read(const std::string& let) {
    config::Problems problems;
    const auto document = config::Document::from_text("effects: {p: " + let + "}\n", "fuzz.yaml", problems);
    auto parameters = effects::read_parameters(*document.value("effects"), false);
    require(!problems.any() && parameters.size() == 1, "a line of the target is one of the configuration",
            let);
    return std::move(parameters.front());
}

/// One line, at the places where a value may stand.
struct Places {
    Parameter body;
    Parameter first_of_two;
    Parameter second_of_two;
    std::optional<Parameter> header;

    explicit Places(const Line& line)
        : body{read(at("pointer: /v", line))},
          first_of_two{read(with_fallback_last("/v", "/other", line))},
          second_of_two{read(with_fallback_last("/none", "/v", line))} {
        if (line.is_of_text) header = read(at("header: x-v", line));
    }

private:
    static std::string at(const std::string& place, const Line& line) {
        return "{" + place + ", " + line.how + "}";
    }
    static std::string with_fallback_last(const std::string& first, const std::string& second,
                                          const Line& line) {
        return at("pointer: [" + first + ", " + second + "]", line);
    }
};

const Places& places_of(std::size_t line) {
    static const auto all = [] {
        std::vector<Places> made;
        for (const Line& one : lines) made.emplace_back(one);
        return made;
    }();
    return all[line];
}

/// One event of which a value is asked. What it makes lives as long.
struct Asked {
    record::EventHeaders facts;
    std::pmr::monotonic_buffer_resource made;
    std::expected<Datum, effects::NoValue> value;

    Asked(const Parameter& parameter, const webhook::JsonView& body,
          std::span<const record::HeaderView> headers = {})
        : value{effects::value_of(parameter, {facts, {body, nullptr, headers}}, made)} {
        if (!value) require(value.error().why.starts_with(":p ("), "what has no value says why and where");
    }
};

void require_wanted(const Asked& asked, const Wanted& wanted, std::string_view promise,
                    const Standing& value) {
    require(asked.value.has_value() == wanted.has_value(), promise, value.text);
    if (wanted) require(*asked.value == *wanted, promise, value.text);
}

bool is_special(const Line& line, const Standing& value) {
    // An empty text stands for no time where a zone is named.
    return line.wanted == &compact && value.text.empty();
}

void read_value(const Line& line, const Places& places, const webhook::JsonView& body,
                const Standing& value) {
    if (is_special(line, value)) return;
    const Wanted wanted = line.wanted(value);
    require_wanted(Asked{places.body, body}, wanted, "a value is the reference's", value);
    require_wanted(Asked{places.first_of_two, body}, wanted, "the first place counts, right or wrong", value);
    require_wanted(Asked{places.second_of_two, body}, wanted, "a place that is not there is passed over",
                   value);
    if (value.type != JsonType::string || !places.header) return;
    const std::array header{record::HeaderView{"http-x-v", value.text}};
    require_wanted(Asked{*places.header, body, header}, wanted, "a header is read like a text", value);
}

/// Input that is more than one value may say the body's other keys again, and they have no value then.
bool has_its_own_keys(const webhook::JsonView& body) {
    static const auto dinar = webhook::Pointer::parse("/dinar").value();
    static const auto yen = webhook::Pointer::parse("/yen").value();
    static const auto other = webhook::Pointer::parse("/other").value();
    return body.string(dinar) && body.integer(yen) && body.string(other);
}

void read_json(std::size_t chosen, std::string_view json) {
    webhook::JsonView body;
    const std::string text = R"({"dinar": "KWD", "yen": 392, "other": "11", "v": )" + std::string{json} + "}";
    if (!body.read(text) || !has_its_own_keys(body)) return;
    static const auto at = webhook::Pointer::parse("/v").value();
    const auto type = body.type(at);
    // JSON keeps escapes that stand for no text.
    const bool is_text = type && *type == JsonType::string && lines[chosen].wanted != &fuzz::json;
    const auto standing = is_text ? body.string(at) : body.written(at);
    const Places& places = places_of(chosen);
    if (!type || !standing)
        return require(!Asked{places.body, body}.value, "what cannot be read has no value");
    if (*type == JsonType::null) return;
    read_value(lines[chosen], places, body,
               {*type, std::string{*standing}, std::string{body.written(at).value()}});
}

}  // namespace
}  // namespace sluice::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view input = sluice::fuzz::text_of(data, size);
    if (input.empty()) return 0;
    const auto chosen = static_cast<unsigned char>(input.front()) % sluice::fuzz::lines.size();
    sluice::fuzz::read_json(chosen, input.substr(1));
    return 0;
}
