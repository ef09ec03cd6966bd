#include "tests/fuzz/engine/tally.hpp"

#include <cstdio>
#include <cstdlib>
#include <deque>

namespace sluice::fuzz {
namespace {

constexpr std::uint64_t pulse =
    1'000'000;  // executions; a process that is ended by a signal says no last word

std::deque<Tally>& all() {
    static std::deque<Tally> tallies;
    return tallies;
}

void print(const char* name, const Tally& tally) {
    std::fprintf(
        stderr, "engine: %s: %llu executions, %llu compared, %llu authentic, %llu extracted\n", name,
        static_cast<unsigned long long>(tally.executions), static_cast<unsigned long long>(tally.compared),
        static_cast<unsigned long long>(tally.authentic), static_cast<unsigned long long>(tally.extracted));
}

void print_sum() {
    Tally sum;
    for (const Tally& one : all()) {
        sum.executions += one.executions;
        sum.compared += one.compared;
        sum.authentic += one.authentic;
        sum.extracted += one.extracted;
    }
    print("all", sum);
}

void print_all() {
    for (const Tally& one : all()) print(one.recipe.c_str(), one);
    print_sum();
}

}  // namespace

void Tally::count(std::optional<webhook::Check> refusal) {
    static std::uint64_t total = 0;
    ++executions;
    const bool is_compared =
        !refusal || *refusal == webhook::Check::signature_mismatch || *refusal == webhook::Check::not_bound;
    if (is_compared) ++compared;
    if (!refusal) ++authentic;
    if (++total % pulse == 0) print_sum();
}

Tally& tally_of(const std::string& recipe) {
    static const int registered = std::atexit((all(), print_all));
    static_cast<void>(registered);
    for (Tally& one : all())
        if (one.recipe == recipe) return one;
    all().push_back({recipe});
    return all().back();
}

}  // namespace sluice::fuzz
