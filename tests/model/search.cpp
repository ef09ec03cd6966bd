#include "tests/model/search.hpp"

#include <algorithm>

#include "tests/model/known_states.hpp"
#include "tests/model/stepper.hpp"

namespace sluice::model {
namespace {

class Search {
public:
    Search(const World& world, Without without) : world_{world}, stepper_{world, without} {}

    Findings run() {
        State start = initial_state(world_);
        add(start, 0);
        Findings findings;
        for (std::uint32_t number = 0; number < known_.size(); ++number) {
            if (known_.size() > world_.most_states) break;
            if (const char* broken = expand(number)) {
                findings.counterexample = Counterexample{broken, history_of(number)};
                findings.counterexample->steps.insert(findings.counterexample->steps.end(), last_.begin(),
                                                      last_.end());
                break;
            }
        }
        findings.states = known_.size();
        findings.complete = !findings.counterexample && known_.size() <= world_.most_states;
        if (findings.complete) findings.counterexample = stranded();
        return findings;
    }

private:
    std::uint32_t add(State& state, std::uint32_t from) {
        normalize(world_, state);
        encode(state, key_);
        const auto found = known_.add(key_);
        if (found.is_new) {
            parents_.push_back(from);
            settled_.push_back(is_settled(world_, state));
        }
        return found.number;
    }

    /// What is broken by a step out of the state, or in it; nullptr: nothing.
    const char* expand(std::uint32_t number) {
        const State state = decode(world_, known_[number]);
        const auto& steps = stepper_.steps_of(state);
        bool goes_on = false;
        for (const Step& step : steps) {
            if (step.next.violation != nullptr) {
                last_ = {text_of(step, state)};
                return step.next.violation;
            }
            State next = step.next;
            const std::uint32_t to = add(next, number);
            if (!step.heals || to == number) continue;
            goes_on = true;
            healing_.push_back({number, to});
        }
        return goes_on || settled_[number] ? nullptr : "stranded: nothing happens any more";
    }

    /// A state from which no way without trouble leads to one where all is settled.
    std::optional<Counterexample> stranded() {
        std::ranges::sort(healing_, {}, &Edge::to);
        std::vector<bool> heals = settled_;
        std::vector<std::uint32_t> reached;
        for (std::uint32_t number = 0; number < known_.size(); ++number) {
            if (heals[number]) reached.push_back(number);
        }
        while (!reached.empty()) {
            const std::uint32_t to = reached.back();
            reached.pop_back();
            for (const Edge& edge : std::ranges::equal_range(healing_, to, {}, &Edge::to)) {
                if (heals[edge.from]) continue;
                heals[edge.from] = true;
                reached.push_back(edge.from);
            }
        }
        const auto lost = std::ranges::find(heals, false);
        if (lost == heals.end()) return std::nullopt;
        return Counterexample{"stranded: it goes round in circles",
                              history_of(static_cast<std::uint32_t>(lost - heals.begin()))};
    }

    std::vector<std::string> history_of(std::uint32_t number) {
        std::vector<std::string> lines;
        while (number != 0) {
            const State before = decode(world_, known_[parents_[number]]);
            lines.push_back(line_between(before, number));
            number = parents_[number];
        }
        std::ranges::reverse(lines);
        return lines;
    }

    std::string line_between(const State& before, std::uint32_t number) {
        for (const Step& step : stepper_.steps_of(before)) {
            State next = step.next;
            normalize(world_, next);
            encode(next, key_);
            if (key_ == known_[number]) return text_of(step, before);
        }
        return "?";
    }

    struct Edge {
        std::uint32_t from;
        std::uint32_t to;
    };

    const World& world_;
    Stepper stepper_;
    KnownStates known_;
    std::vector<std::uint32_t> parents_;  // by number: a state one step earlier
    std::vector<bool> settled_;
    std::vector<Edge> healing_;
    std::vector<std::string> last_;
    std::string key_;
};

}  // namespace

Findings search(const World& world, Without without) {
    return Search{world, without}.run();
}

std::string to_text(const Counterexample& counterexample) {
    std::string text =
        counterexample.promise + ", after " + std::to_string(counterexample.steps.size()) + " steps\n";
    for (const std::string& step : counterexample.steps) text += "    " + step + "\n";
    return text;
}

}  // namespace sluice::model
