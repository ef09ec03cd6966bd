#include "consumer/relay_role/http_answer.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace sluice::consumer {
namespace {

constexpr std::array about_the_message{400, 409, 410, 411, 413, 415, 422, 431};
constexpr std::chrono::seconds longest_wait{std::chrono::hours{1}};

Sent::How how_of(int status) {
    if (status >= 200 && status < 300) return Sent::How::taken;
    return std::ranges::contains(about_the_message, status) ? Sent::How::refused : Sent::How::later;
}

Milliseconds wait_of(std::string_view retry_after) {
    std::int64_t seconds = 0;
    (void)std::from_chars(retry_after.data(), retry_after.data() + retry_after.size(), seconds);
    return std::clamp(std::chrono::seconds{seconds}, std::chrono::seconds{0}, longest_wait);
}

}  // namespace

Sent judged(int status, std::string_view retry_after) {
    const auto how = how_of(status);
    if (how == Sent::How::taken) return {};
    return {how, "it answered with status " + std::to_string(status), wait_of(retry_after)};
}

}  // namespace sluice::consumer
