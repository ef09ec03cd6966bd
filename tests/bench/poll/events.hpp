#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace sluice::bench {

/// So many events of a month, numbered from 1 by their age, all alike but for their ids and times. Number 0
/// is a place before all.
class Events {
public:
    Events(std::uint64_t count, std::int64_t first_created, std::int64_t last_created);

    [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
    [[nodiscard]] std::int64_t created(std::uint64_t number) const noexcept;
    /// How many were created before.
    [[nodiscard]] std::uint64_t before(std::int64_t created) const noexcept;
    /// As Stripe writes it: numbers [from, until), the newest first.
    [[nodiscard]] std::string page(std::uint64_t from, std::uint64_t until, bool has_more) const;

    /// The greatest of all for what is no id of theirs.
    [[nodiscard]] static std::uint64_t number_of(std::string_view id) noexcept;

private:
    void append(std::string& page, std::uint64_t number) const;

    std::uint64_t count_;
    std::int64_t first_;
    std::int64_t last_;
};

}  // namespace sluice::bench
