#include "common/config/settings/host_port.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include <arpa/inet.h>

#include "common/config/scalar_text.hpp"

namespace sluice::config {
namespace {

bool is_host(std::string_view text, std::string_view punctuation) {
    constexpr std::size_t longest_name = 253;  // RFC 1035 section 2.3.4, without the last dot
    return !text.empty() && text.size() <= longest_name && std::ranges::all_of(text, [&](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
               punctuation.find(c) != std::string_view::npos;
    });
}

std::optional<std::uint16_t> port_from_text(std::string_view text) {
    const auto number = integer_from_text(text);
    if (!number || *number < 0 || *number > std::numeric_limits<std::uint16_t>::max()) return std::nullopt;
    return static_cast<std::uint16_t>(*number);
}

struct Address {
    std::array<unsigned char, 16> bytes{};
    int bits = 0;
};

std::optional<Address> address_from_text(std::string_view text) {
    const std::string terminated{text};
    Address address;
    if (::inet_pton(AF_INET, terminated.c_str(), address.bytes.data()) == 1) {
        address.bits = 32;
    } else if (::inet_pton(AF_INET6, terminated.c_str(), address.bytes.data()) == 1) {
        address.bits = 128;
    } else {
        return std::nullopt;
    }
    if (terminated.find('\0') != std::string::npos) return std::nullopt;
    return address;
}

bool has_bits_from(const Address& address, int first) {
    for (int bit = first; bit < address.bits; ++bit) {
        const auto byte = address.bytes[static_cast<std::size_t>(bit / 8)];
        if ((byte >> (7 - bit % 8) & 1) != 0) return true;
    }
    return false;
}

}  // namespace

std::optional<HostPort> host_port_from_text(std::string_view text, std::optional<std::uint16_t> fallback) {
    std::string_view host;
    std::string_view rest;
    if (text.starts_with('[')) {
        const auto end = text.find(']');
        if (end == std::string_view::npos) return std::nullopt;
        host = text.substr(1, end - 1);
        rest = text.substr(end + 1);
        if (!address_from_text(host)) return std::nullopt;
    } else {
        const auto end = std::min(text.find(':'), text.size());
        host = text.substr(0, end);
        rest = text.substr(end);
        if (!is_host(host, "-._")) return std::nullopt;
    }
    if (!rest.empty() && !rest.starts_with(':')) return std::nullopt;
    const auto port = rest.empty() ? fallback : port_from_text(rest.substr(1));
    if (!port) return std::nullopt;
    return HostPort{std::string{host}, *port};
}

bool is_address(std::string_view text) {
    return address_from_text(text).has_value();
}

bool is_address_block(std::string_view text) {
    const auto slash = text.find('/');
    const auto address = address_from_text(text.substr(0, slash));
    if (!address) return false;
    if (slash == std::string_view::npos) return true;
    const auto prefix = integer_from_text(text.substr(slash + 1));
    return prefix && *prefix >= 0 && *prefix <= address->bits &&
           !has_bits_from(*address, static_cast<int>(*prefix));
}

HostPort read_listening_address(Section& section, std::string_view key, std::string_view fallback) {
    const auto text = section.text(key, fallback);
    const auto address = host_port_from_text(text);
    if (address && is_address(address->host)) return *address;
    section.problem_at(key, section.path() + "." + std::string{key} +
                                " must be ADDRESS:PORT with a numeric "
                                "address, such as 0.0.0.0:8080 or [::]:8080, not " +
                                in_quotes(text));
    return *host_port_from_text(fallback);
}

std::vector<network::Block> read_blocks(Section& section, std::string_view key) {
    std::vector<network::Block> blocks;
    for (const auto& text : section.texts(key)) {
        const auto block = network::Block::parse(text);
        if (block) blocks.push_back(*block);
        if (!block) section.problem_at(key, "'" + text + "' is no address block, such as 10.0.0.0/8");
    }
    return blocks;
}

}  // namespace sluice::config
