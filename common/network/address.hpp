#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::network {

/// An IPv4 or IPv6 address. IPv4 is kept in its IPv6-mapped form, so that both compare alike however
/// the kernel reports them.
class Address {
public:
    Address() = default;
    static Address from_v4(const std::array<std::uint8_t, 4>& bytes) noexcept;
    static Address from_v6(const std::array<std::uint8_t, 16>& bytes) noexcept { return Address{bytes}; }
    /// Numeric text, without port or brackets.
    [[nodiscard]] static std::optional<Address> parse(std::string_view text);

    [[nodiscard]] bool is_v4() const noexcept;
    [[nodiscard]] std::string text() const;
    /// What limits count by: an IPv4 address, or the /64 that an IPv6 host owns.
    [[nodiscard]] Address client_prefix() const noexcept;
    [[nodiscard]] const std::array<std::uint8_t, 16>& bytes() const noexcept { return bytes_; }

    auto operator<=>(const Address&) const = default;

private:
    explicit Address(const std::array<std::uint8_t, 16>& bytes) noexcept : bytes_{bytes} {}
    std::array<std::uint8_t, 16> bytes_{};
};

/// "10.0.0.0/8", "2001:db8::/32" or one address.
class Block {
public:
    [[nodiscard]] static std::optional<Block> parse(std::string_view text);
    [[nodiscard]] bool contains(const Address& address) const noexcept;

private:
    Block(const Address& base, int bits) : base_{base}, bits_{bits} {}
    Address base_;
    int bits_;  // of the mapped form: 0 to 128
};

}  // namespace sluice::network
