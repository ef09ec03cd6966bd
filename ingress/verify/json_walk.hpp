#pragma once

#include <simdjson.h>

#include <array>
#include <cstddef>
#include <span>

#include "common/result.hpp"
#include "ingress/verify/json_view.hpp"

namespace sluice::verify {

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

/// From `from` to what the pointer names, noting the way. errc::missing_pointer, errc::duplicate_key
/// for a key on the way that stands twice in its object, however it is escaped.
[[nodiscard]] Result<simdjson::dom::element> walk(simdjson::dom::element from, const Pointer& pointer,
                                                  JsonWay& way);

}  // namespace sluice::verify
