#include "ctl/operate/run_id.hpp"

#include <algorithm>

#include "common/crypto/encoding.hpp"
#include "common/crypto/random.hpp"

namespace sluice::ctl {
namespace {

constexpr std::size_t number_bytes = 6;  // of the highest entry or of the time, big-endian
constexpr std::uint8_t version_of_entries = 0x80U;
constexpr std::uint8_t version_of_times = 0x70U;

std::optional<store::ActionId> id_from_hex(std::string_view digits) {
    store::ActionId id{};
    if (digits.size() != 2 * id.size() || !crypto::read_hex(id.data(), digits, true)) return std::nullopt;
    return id;
}

store::ActionId run_with(std::int64_t number, std::uint8_t version) {
    store::ActionId run = id_from_hex(crypto::random_hex(run.size())).value();
    auto rest = static_cast<std::uint64_t>(number);
    for (std::size_t i = number_bytes; i-- > 0; rest >>= 8U) run[i] = static_cast<std::uint8_t>(rest & 0xFFU);
    run[6] = static_cast<std::uint8_t>(version | (run[6] & 0x0FU));
    run[8] = static_cast<std::uint8_t>(0x80U | (run[8] & 0x3FU));
    return run;
}

std::optional<std::int64_t> number_in(const store::ActionId& run, std::uint8_t version) noexcept {
    if ((run[6] & 0xF0U) != version || (run[8] & 0xC0U) != 0x80U) return std::nullopt;
    std::int64_t number = 0;
    for (std::size_t i = 0; i < number_bytes; ++i) number = number * 256 + run[i];
    return number;
}

}  // namespace

store::ActionId new_run(std::int64_t highest_entry) {
    return run_with(highest_entry, version_of_entries);
}

std::optional<std::int64_t> highest_entry_of(const store::ActionId& run) noexcept {
    return number_in(run, version_of_entries);
}

store::ActionId new_run_at(WallTime start) {
    const auto passed = std::chrono::ceil<std::chrono::milliseconds>(start.time_since_epoch());
    return run_with(passed.count(), version_of_times);
}

std::optional<WallTime> start_of(const store::ActionId& run) noexcept {
    const auto passed = number_in(run, version_of_times);
    return passed ? std::optional{WallTime{std::chrono::milliseconds{*passed}}} : std::nullopt;
}

std::string uuid_text(const store::ActionId& id) {
    std::string text = crypto::to_hex(std::string_view{reinterpret_cast<const char*>(id.data()), id.size()});
    for (const std::size_t at : {20U, 16U, 12U, 8U}) text.insert(at, "-");
    return text;
}

std::optional<store::ActionId> uuid_from(std::string_view text) {
    std::string digits{text};
    std::erase(digits, '-');
    const auto id = id_from_hex(digits);
    // With its dashes in their places, or without any.
    return id && (text == digits || uuid_text(*id).size() == text.size()) ? id : std::nullopt;
}

}  // namespace sluice::ctl
