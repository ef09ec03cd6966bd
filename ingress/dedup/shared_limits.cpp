#include "ingress/dedup/shared_limits.hpp"

#include <array>
#include <charconv>

#include "common/crypto/encoding.hpp"

namespace sluice::dedup {
namespace {

constexpr std::size_t hex_digits = 64;  // of a digest

// The generic cell rate algorithm, as in common/metering/rate.cpp. A key holds when all that was taken is
// made up for, in microseconds by the server's clock, and goes by itself then. ARGV: for each key the
// microseconds of one, and the burst. The reply is the number of the first key that is spent, or 0. A number
// as such would print as 1.7e+15.
constexpr std::string_view count_script = R"(local t = redis.call('TIME')
local now = t[1] * 1000000 + t[2]
local ends = {}
for i, key in ipairs(KEYS) do
  local every = tonumber(ARGV[2 * i - 1])
  local burst = tonumber(ARGV[2 * i])
  local begin = math.max(tonumber(redis.call('GET', key) or 0), now)
  if begin > now + every * burst + 1000000 then begin = now end
  if begin - now > every * (burst - 1) then return tostring(i) end
  ends[i] = begin + every
end
for i, key in ipairs(KEYS) do
  redis.call('SET', key, string.format('%.0f', ends[i]), 'PX', math.ceil((ends[i] - now) / 1000) + 1)
end
return '0')";

// The keys expire when they would have.
constexpr std::string_view take_back_script = R"(for i, key in ipairs(KEYS) do
  local ends = redis.call('GET', key)
  if ends then
    redis.call('SET', key, string.format('%.0f', ends - ARGV[2 * i - 1]), 'KEEPTTL')
  end
end
return redis.status_reply('OK'))";

/// std::format takes each byte of the script by itself: twenty thousand instructions for a request.
void append_number(std::string& bytes, char kind, std::size_t number) {
    std::array<char, 20> digits{};
    const auto end = std::to_chars(digits.begin(), digits.end(), number).ptr;
    bytes += kind;
    bytes.append(digits.begin(), end);
    bytes += "\r\n";
}

void append(std::string& bytes, std::string_view argument) {
    append_number(bytes, '$', argument.size());
    bytes += argument;
    bytes += "\r\n";
}

/// "20000.000". Of a double it would be 600 instructions.
void append_microseconds(std::string& bytes, std::chrono::nanoseconds time) {
    std::array<char, 32> digits{};
    const auto whole = time.count() / 1000;
    const auto part = time.count() % 1000;
    char* end = std::to_chars(digits.begin(), digits.end(), whole).ptr;
    *end++ = '.';
    for (const auto unit : {100, 10, 1}) *end++ = static_cast<char>('0' + part / unit % 10);
    append(bytes, {digits.begin(), end});
}

}  // namespace

LimitCommands::LimitCommands(const std::string& epoch) {
    const std::string prefix = "limit:" + epoch + ":";
    append_number(key_begin_, '$', prefix.size() + hex_digits);
    key_begin_ += prefix;
}

std::string_view LimitCommands::count(const Counting& counting) {
    return evaluate(count_script, counting);
}

std::string_view LimitCommands::take_back(const Counting& counting) {
    return evaluate(take_back_script, counting);
}

std::string_view LimitCommands::evaluate(std::string_view script, const Counting& counting) {
    begin(script, counting.limits.size());
    for (const SharedLimit& limit : counting.limits) {
        bytes_ += key_begin_;
        crypto::append_hex(bytes_, crypto::as_text(limit.who));
        bytes_ += "\r\n";
    }
    for (const SharedLimit& limit : counting.limits) {
        append_microseconds(bytes_, limit.rate.every);
        append(bytes_, std::to_string(limit.rate.burst));
    }
    return bytes_;
}

/// What is the same for each request is mostly there already.
void LimitCommands::begin(std::string_view script, std::size_t limits) {
    if (script.data() == begun_with_ && limits == begun_for_) {
        bytes_.resize(begun_);
        return;
    }
    bytes_.clear();
    append_number(bytes_, '*', 3 + 3 * limits);
    append(bytes_, "EVAL");
    append(bytes_, script);
    append(bytes_, std::to_string(limits));
    begun_with_ = script.data();
    begun_for_ = limits;
    begun_ = bytes_.size();
}

bool read_counted(const Reply& reply, Counting& counting) {
    counting.is_unknown = reply.kind != Reply::Kind::text;
    if (reply.kind == Reply::Kind::none || reply.kind == Reply::Kind::error) return true;
    const std::string_view text = reply.text.view();
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_ours = reply.kind == Reply::Kind::text && error == std::errc{} &&
                         end == text.data() + text.size() && number <= counting.limits.size();
    counting.is_unknown = !is_ours;
    if (is_ours && number > 0) counting.over = number - 1;
    return is_ours;
}

}  // namespace sluice::dedup
