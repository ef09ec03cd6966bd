#include "ingress/callbacks/sample.hpp"

namespace sluice::callbacks {

bool Sample::takes(std::string_view source, std::string_view verdict) {
    auto found = seen_.find(std::pair{source, verdict});
    if (found == seen_.end())
        found = seen_.emplace(std::pair{std::string{source}, std::string{verdict}}, 0).first;
    return ++found->second <= recorded_of_each;
}

std::vector<LeftOut> Sample::ended(SteadyTime now) {
    if (now < ends_) return {};
    ends_ = now + window;
    return end();
}

std::vector<LeftOut> Sample::end() {
    std::vector<LeftOut> left_out;
    for (const auto& [key, seen] : seen_)
        if (seen > recorded_of_each) left_out.push_back({key.first, key.second, seen - recorded_of_each});
    seen_.clear();
    return left_out;
}

}  // namespace sluice::callbacks
