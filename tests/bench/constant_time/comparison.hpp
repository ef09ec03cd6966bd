#pragma once

#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::bench {

/// Something that must take as long for one kind of input as for the other. `place` does the same for both,
/// so that nothing but the input's bytes differs when `call` is measured.
struct Comparison {
    std::string name;
    std::string kinds;
    bool stops_early;  ///< on purpose: a tool that does not see it sees nothing
    std::move_only_function<std::string(bool is_second, std::mt19937_64& chance)> make;
    std::move_only_function<void(std::string_view input)> place;
    std::move_only_function<bool()> call;
};

/// Those that the engine makes with what only the key's holder knows, and two that give it away.
[[nodiscard]] std::vector<Comparison> comparisons();

}  // namespace sluice::bench
