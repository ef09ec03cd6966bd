#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::bench {

/// One request judged twice: by the engine, and by what somebody would write by hand for this one scheme.
/// Both say whether it is authentic, and it is.
struct Pair {
    std::string name;
    std::size_t calls;  ///< of each side in one go
    std::move_only_function<bool()> engine;
    std::move_only_function<bool()> bare;
};

/// Recipes of HMACs over 2 KB beside the floor's check of Stripe's signature; recipes of RSA beside OpenSSL's
/// verify under a key that is ready, over a text that is in one piece. `only` names one of them; empty: all.
[[nodiscard]] std::vector<Pair> pairs(std::string_view only);

}  // namespace sluice::bench
