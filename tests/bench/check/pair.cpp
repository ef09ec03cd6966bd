#include "tests/bench/check/pair.hpp"

#include "tests/bench/check/by_hmac.hpp"
#include "tests/bench/check/by_rsa.hpp"

namespace sluice::bench {

std::vector<Pair> pairs(std::string_view only) {
    std::vector<Pair> all;
    const auto is_wanted = [&](std::string_view recipe) { return only.empty() || only == recipe; };
    for (const char* recipe : {"stripe", "github", "standard-webhooks"})
        if (is_wanted(recipe)) all.push_back(pair_by_hmac(recipe));
    for (const char* recipe : {"wechat-pay", "paypal"})
        if (is_wanted(recipe)) all.push_back(pair_by_rsa(recipe));
    return all;
}

}  // namespace sluice::bench
