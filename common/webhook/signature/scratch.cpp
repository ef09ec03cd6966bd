#include "common/webhook/signature/scratch.hpp"

#include <atomic>

namespace sluice::webhook {

namespace {

std::atomic<std::uint64_t> gone{0};

}  // namespace

std::uint64_t programs_gone() noexcept {
    return gone.load(std::memory_order_relaxed);
}
void count_gone_program() noexcept {
    gone.fetch_add(1, std::memory_order_relaxed);
}

Scratch::Scratch() : state_(std::make_unique<State>()) {}
Scratch::~Scratch() = default;
Scratch::Scratch(Scratch&&) noexcept = default;

Scratch::State::Entry& Scratch::State::entry_of(const Program& program) {
    if (programs_gone() != gone_seen_) forget_gone();
    const auto known = programs_.find(program.serial);
    if (known != programs_.end()) return known->second;

    Entry& entry = programs_[program.serial];
    entry.life = program.life;
    entry.checks.reserve(program.keys.size());
    for (const Key& key : program.keys) entry.checks.emplace_back(key);
    return entry;
}

void Scratch::State::forget_gone() {
    gone_seen_ = programs_gone();
    std::erase_if(programs_, [](const auto& entry) { return entry.second.life.expired(); });
}

}  // namespace sluice::webhook
