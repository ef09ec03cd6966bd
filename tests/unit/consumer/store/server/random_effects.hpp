#pragma once

#include <random>
#include <string>
#include <vector>

/// Configurations, tables and events by chance, for the test that batches are what their events are alone.
namespace sluice::effects {

/// One of them, in the two ways to say it.
struct RandomEffects {
    std::string set_based;            ///< with insert, add and set; "$" stands for the prefix of the tables
    std::string by_sql;               ///< the same by hand, in the kind sql
    std::vector<std::string> tables;  ///< CREATE statements and rows; "$" as above
    std::vector<std::string> names;   ///< of the tables
};

struct RandomEvent {
    std::string id;
    std::string type;
    std::string body;
};

class Chance {
public:
    explicit Chance(unsigned seed) : random_{seed} {}

    [[nodiscard]] int below(int limit) { return std::uniform_int_distribution{0, limit - 1}(random_); }
    [[nodiscard]] bool one_in(int count) { return below(count) == 0; }
    [[nodiscard]] const std::string& one_of(const std::vector<std::string>& items) {
        return items[static_cast<std::size_t>(below(static_cast<int>(items.size())))];
    }

private:
    std::mt19937 random_;
};

[[nodiscard]] RandomEffects random_effects(Chance& chance);
[[nodiscard]] std::vector<RandomEvent> random_events(Chance& chance, const RandomEffects& effects, int count);

}  // namespace sluice::effects
