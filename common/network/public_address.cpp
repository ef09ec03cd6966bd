#include "common/network/public_address.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <vector>

namespace sluice::network {
namespace {

std::vector<Block> blocks_of(std::span<const std::string_view> texts) {
    std::vector<Block> blocks;
    for (const auto text : texts) blocks.push_back(Block::parse(text).value());
    return blocks;
}

const std::vector<Block>& special_blocks() {
    static constexpr std::array<std::string_view, 26> texts{
        "0.0.0.0/8",     "10.0.0.0/8",      "100.64.0.0/10",  "127.0.0.0/8",    "169.254.0.0/16",
        "172.16.0.0/12", "192.0.0.0/24",    "192.0.2.0/24",   "192.88.99.0/24", "192.168.0.0/16",
        "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4",    "240.0.0.0/4",
        "::/96",         "64:ff9b:1::/48",  "100::/64",       "2001::/23",      "2001:db8::/32",
        "fc00::/7",      "fe80::/10",       "fec0::/10",      "ff00::/8",       "3fff::/20",
        "5f00::/16"};
    static const std::vector<Block> blocks = blocks_of(texts);
    return blocks;
}

Address v4_at(const Address& address, std::size_t first) {
    std::array<std::uint8_t, 4> bytes{};
    std::copy_n(address.bytes().begin() + static_cast<std::ptrdiff_t>(first), bytes.size(), bytes.begin());
    return Address::from_v4(bytes);
}

}  // namespace

bool is_public(const Address& address) noexcept {
    static const Block translated = Block::parse("64:ff9b::/96").value();  // RFC 6052
    static const Block six_to_four = Block::parse("2002::/16").value();    // RFC 3056
    if (translated.contains(address)) return is_public(v4_at(address, 12));
    if (six_to_four.contains(address)) return is_public(v4_at(address, 2));
    return std::ranges::none_of(special_blocks(),
                                [&](const Block& block) { return block.contains(address); });
}

}  // namespace sluice::network
