#include "ingress/connection/proxy.hpp"

#include <algorithm>

#include "common/webhook/gate/grammar.hpp"

namespace sluice::connection {
namespace {

constexpr std::string_view signature{"\r\n\r\n\0\r\nQUIT\n", 12};
constexpr unsigned char version_2_local = 0x20;
constexpr unsigned char version_2_proxy = 0x21;
constexpr unsigned char tcp_over_v4 = 0x11;
constexpr unsigned char tcp_over_v6 = 0x21;

unsigned char octet(std::string_view bytes, std::size_t at) {
    return static_cast<unsigned char>(bytes[at]);
}

template <std::size_t N>
std::array<std::uint8_t, N> octets(std::string_view bytes, std::size_t at) {
    std::array<std::uint8_t, N> out;
    std::ranges::transform(bytes.substr(at, N), out.begin(),
                           [](char c) { return static_cast<std::uint8_t>(c); });
    return out;
}

/// "192.0.2.1", "192.0.2.1:80", "[2001:db8::1]:80", "2001:db8::1", each perhaps in quotes.
std::optional<Address> node_address(std::string_view node) {
    node = gate::trimmed(node);
    if (node.size() >= 2 && node.front() == '"' && node.back() == '"') node = node.substr(1, node.size() - 2);
    if (node.starts_with('[')) {
        const std::size_t end = node.find(']');
        return end == node.npos ? std::nullopt : Address::parse(node.substr(1, end - 1));
    }
    if (std::ranges::count(node, ':') == 1) node = node.substr(0, node.find(':'));
    return Address::parse(node);
}

std::string_view take_last(std::string_view& list) {
    const std::size_t comma = list.rfind(',');
    const std::string_view last = comma == list.npos ? list : list.substr(comma + 1);
    list = comma == list.npos ? std::string_view{} : list.substr(0, comma);
    return last;
}

}  // namespace

bool TrustedProxies::contains(const Address& address) const noexcept {
    return std::ranges::any_of(blocks_, [&](const Block& block) { return block.contains(address); });
}

std::size_t proxy_header_size(std::string_view bytes) {
    return proxy_fixed_part + octet(bytes, 14) * std::size_t{256} + octet(bytes, 15);
}

std::expected<ProxyHeader, ProxyTrouble> read_proxy_header(std::string_view bytes) {
    const auto malformed = std::unexpected{ProxyTrouble::malformed};
    const std::size_t seen = std::min(bytes.size(), signature.size());
    if (bytes.substr(0, seen) != signature.substr(0, seen)) return malformed;
    if (bytes.size() < proxy_fixed_part) return std::unexpected{ProxyTrouble::incomplete};
    const unsigned char command = octet(bytes, 12);
    const unsigned char family = octet(bytes, 13);
    const std::size_t size = proxy_header_size(bytes);
    const std::size_t rest = size - proxy_fixed_part;
    if (size > max_proxy_header) return malformed;
    if (bytes.size() < size) return std::unexpected{ProxyTrouble::incomplete};
    const ProxyHeader local{size, std::nullopt};
    if (command == version_2_local) return local;
    if (command != version_2_proxy) return malformed;
    if (family == tcp_over_v4 && rest >= 12)
        return ProxyHeader{local.size, Address::from_v4(octets<4>(bytes, proxy_fixed_part))};
    if (family == tcp_over_v6 && rest >= 36)
        return ProxyHeader{local.size, Address::from_v6(octets<16>(bytes, proxy_fixed_part))};
    return malformed;
}

std::optional<Address> forwarded_client(std::span<const webhook::HeaderField> fields,
                                        const TrustedProxies& trusted) {
    for (auto field = fields.rbegin(); field != fields.rend(); ++field) {
        if (!gate::equals(field->name, "x-forwarded-for")) continue;
        std::string_view list = field->value;
        while (!list.empty()) {
            const std::optional<Address> address = node_address(take_last(list));
            if (!address) return std::nullopt;
            if (!trusted.contains(*address)) return address;
        }
    }
    return std::nullopt;
}

}  // namespace sluice::connection
