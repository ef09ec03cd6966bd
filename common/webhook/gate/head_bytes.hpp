#pragma once

#include <cstddef>
#include <string_view>

#include "common/webhook/gate/sixteen.hpp"

namespace sluice::gate {

/// What the bytes of a head tell before a parser sees them.
struct HeadBytes {
    bool are_sound = false;  ///< the rest means something with sound bytes only
    bool have_obs_text = false;
    bool have_underscore = false;
};

/// Sound are bytes about which readers agree how lines end (RFC 9112 section 2.2) and that none goes on in
/// the next (section 5.2): no control character but the tab and whole CRLFs, no line that begins with a
/// space or a tab. Beast would take folded lines into a buffer of its own. Pure.
template <class Block = Sixteen>
[[nodiscard]] HeadBytes look_over(std::string_view head) noexcept {
    constexpr unsigned all = 0xffff;
    HeadBytes seen;
    unsigned after_return = 0;  // of the block before: its last byte's bit, now that of the first
    unsigned after_feed = 0;
    unsigned underscores = 0;
    const std::size_t size = head.size();
    for (std::size_t at = 0; at < size; at += sixteen) {
        const Block block{{head.data() + at, size - at}};
        underscores |= block.where('_');
        const unsigned odd = block.where_unprintable();
        if ((odd | after_return | after_feed) == 0) continue;
        const unsigned returns = block.where('\r');
        const unsigned feeds = block.where('\n');
        const unsigned tabs = block.where('\t');
        const unsigned obs_text = block.where_obs_text();
        seen.have_obs_text |= obs_text != 0;
        if ((odd & ~(returns | feeds | tabs | obs_text)) != 0) return seen;
        if (((returns << 1U | after_return) & all) != feeds) return seen;
        if (((feeds << 1U | after_feed) & (tabs | block.where(' '))) != 0) return seen;
        after_return = returns >> (sixteen - 1);
        after_feed = feeds >> (sixteen - 1);
    }
    seen.are_sound = after_return == 0;
    seen.have_underscore = underscores != 0;
    return seen;
}

}  // namespace sluice::gate
