#include "ingress/request/delivery_watch.hpp"

#include <cstring>
#include <functional>

namespace sluice::ingress {
namespace {

constexpr std::uint64_t of_key = 0xffff'ffff'0000'0000;

}  // namespace

bool DeliveryWatch::is_other(const crypto::Digest& dedup_key, std::string_view delivery_id) noexcept {
    std::uint64_t key = 0;
    std::uint16_t place = 0;
    std::memcpy(&key, dedup_key.data(), sizeof key);
    std::memcpy(&place, dedup_key.data() + sizeof key, sizeof place);
    const std::uint64_t id = std::hash<std::string_view>{}(delivery_id) & ~of_key;
    const std::uint64_t now = (key & of_key) | id;
    const std::uint64_t before = last_[place % size].exchange(now, std::memory_order_relaxed);
    return (before & of_key) == (now & of_key) && before != now;
}

}  // namespace sluice::ingress
