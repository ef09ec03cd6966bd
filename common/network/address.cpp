#include "common/network/address.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>
#include <span>

namespace sluice::network {
namespace {

constexpr std::array<std::uint8_t, 12> mapped_prefix{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
constexpr int mapped_bits = 96;
constexpr std::size_t longest_text = 45;

/// Every log line says one; inet_ntop would go through printf.
char* dotted(std::span<const std::uint8_t, 4> octets, char (&text)[INET6_ADDRSTRLEN]) {
    char* out = text;
    for (const std::uint8_t octet : octets) {
        if (out != text) *out++ = '.';
        out = std::to_chars(out, text + sizeof text, octet).ptr;
    }
    return out;
}

}  // namespace

Address Address::from_v4(const std::array<std::uint8_t, 4>& bytes) noexcept {
    Address address;
    std::ranges::copy(mapped_prefix, address.bytes_.begin());
    std::ranges::copy(bytes, address.bytes_.begin() + mapped_prefix.size());
    return address;
}

std::optional<Address> Address::parse(std::string_view text) {
    if (text.empty() || text.size() > longest_text) return std::nullopt;
    const std::string terminated{text};
    std::array<std::uint8_t, 4> v4{};
    if (::inet_pton(AF_INET, terminated.c_str(), v4.data()) == 1) return from_v4(v4);
    std::array<std::uint8_t, 16> v6{};
    if (::inet_pton(AF_INET6, terminated.c_str(), v6.data()) == 1) return from_v6(v6);
    return std::nullopt;
}

bool Address::is_v4() const noexcept {
    return std::equal(mapped_prefix.begin(), mapped_prefix.end(), bytes_.begin());
}

std::string Address::text() const {
    char buffer[INET6_ADDRSTRLEN] = {};
    if (is_v4()) return {buffer, dotted(std::span{bytes_}.last<4>(), buffer)};
    ::inet_ntop(AF_INET6, bytes_.data(), buffer, sizeof buffer);
    return buffer;
}

Address Address::client_prefix() const noexcept {
    Address home = *this;
    if (!is_v4()) std::fill(home.bytes_.begin() + 8, home.bytes_.end(), std::uint8_t{0});
    return home;
}

std::optional<Block> Block::parse(std::string_view text) {
    const std::size_t slash = text.find('/');
    const auto base = Address::parse(text.substr(0, slash));
    if (!base) return std::nullopt;
    const int offset = base->is_v4() ? mapped_bits : 0;
    if (slash == text.npos) return Block{*base, 128};
    const std::string_view digits = text.substr(slash + 1);
    int bits = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), bits);
    const bool whole = error == std::errc{} && end == digits.data() + digits.size();
    if (!whole || bits < 0 || bits > 128 - offset) return std::nullopt;
    return Block{*base, bits + offset};
}

bool Block::contains(const Address& address) const noexcept {
    const auto& a = base_.bytes();
    const auto& b = address.bytes();
    const auto whole = static_cast<std::size_t>(bits_ / 8);
    if (!std::equal(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(whole), b.begin())) return false;
    const int rest = bits_ % 8;
    return rest == 0 || (a[whole] >> (8 - rest)) == (b[whole] >> (8 - rest));
}

}  // namespace sluice::network
