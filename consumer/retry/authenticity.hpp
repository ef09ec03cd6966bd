#pragma once
#include "consumer/record.hpp"
namespace sluice::consumer {
enum class Authentic { yes, no, unknown };
class Authenticity {
public:
    virtual ~Authenticity() = default;
    [[nodiscard]] virtual Authentic check(const Record& record) const = 0;
};
}  // namespace sluice::consumer
