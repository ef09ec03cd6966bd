#pragma once

#include <simdjson.h>

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/result.hpp"
#include "common/webhook/body/json_view.hpp"

namespace sluice::webhook {

/// Containers inside each other in one document.
inline constexpr std::size_t most_nested = 64;

/// Where a walk has been: which member or element of each container on the way.
class JsonWay {
public:
    void add(std::size_t ordinal) { steps_[size_++] = ordinal; }
    void clear() noexcept { size_ = 0; }
    [[nodiscard]] std::span<const std::size_t> steps() const { return {steps_.data(), size_}; }

private:
    std::array<std::size_t, most_nested> steps_{};
    std::size_t size_ = 0;
};

/// Follows pointers through one document after another. Objects of up to `most_known` members are scanned
/// once, however many pointers lead through them. Not thread-safe.
class JsonWalk {
public:
    static constexpr std::size_t most_known = 256;

    /// `root` and its document stay as they are until the next call.
    void begin(simdjson::dom::element root);

    /// What the pointer names, noting the way there. errc::missing_pointer, errc::duplicate_key for a key on
    /// the way that occurs twice in its object, however it is escaped.
    [[nodiscard]] Result<simdjson::dom::element> to(const Pointer& pointer, JsonWay& way);

private:
    struct Value {
        std::string_view key;
        simdjson::dom::element element;
        std::size_t first = 0;  // of its members in `known_`; 0: they are not known
        std::size_t count = 0;
    };

    [[nodiscard]] bool knows_members_of(std::size_t number);
    [[nodiscard]] Result<std::size_t> member(const Value& object, std::string_view key, JsonWay& way) const;

    std::vector<Value> known_;  // the root first; the members of one object together
};

}  // namespace sluice::webhook
