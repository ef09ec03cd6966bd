#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string_view>

namespace sluice::spill {

/// What was answered for and Kafka does not have yet, by bucket; all records of a key are of one. A key's
/// records go the way of those before it: into the journal as long as its bucket holds any. Thread-safe.
class Backlog {
public:
    using Bucket = std::uint16_t;
    static constexpr std::size_t buckets = 4096;

    /// Of std::hash of the key.
    [[nodiscard]] static constexpr Bucket bucket_of(std::size_t key_hash) noexcept {
        return static_cast<Bucket>(key_hash % buckets);
    }
    [[nodiscard]] static Bucket bucket_of(std::string_view key) noexcept;

    void add(Bucket bucket) noexcept;
    void remove(Bucket bucket) noexcept;

    /// Whether older records of this bucket may still be on their way. Of all before `counted`.
    [[nodiscard]] bool holds(Bucket bucket) const noexcept;
    /// From here on it knows what an earlier process left.
    void counted() noexcept { is_counted_ = true; }
    [[nodiscard]] bool holds_all() const noexcept { return !is_counted_; }

    /// The journal has records that it cannot know.
    void left_some_out() noexcept { leaves_some_out_ = true; }
    [[nodiscard]] bool leaves_some_out() const noexcept { return leaves_some_out_; }

    /// That are known.
    [[nodiscard]] std::size_t records() const noexcept { return records_; }

private:
    std::array<std::atomic<std::uint32_t>, buckets> of_bucket_{};
    std::atomic<std::size_t> records_{0};
    std::atomic<bool> is_counted_{false};
    std::atomic<bool> leaves_some_out_{false};
};

}  // namespace sluice::spill
