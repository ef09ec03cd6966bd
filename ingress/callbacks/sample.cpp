#include "ingress/callbacks/sample.hpp"

namespace sluice::callbacks {

bool Sample::takes(Cause cause, std::string_view source, std::string_view verdict) {
    auto found = seen_.find(std::pair{source, verdict});
    if (found == seen_.end())
        found = seen_.emplace(std::pair{std::string{source}, std::string{verdict}}, Seen{}).first;
    Seen& seen = found->second;
    ++seen.requests;
    const bool is_anybody = cause == Cause::anybody;
    if (seen.taken >= (is_anybody ? most_of_anybody : most_of_a_provider)) return false;
    if (is_anybody && ++taken_of_anybody_ > most_of_anybody_in_all) return false;
    last_taken_ = ++seen.taken;
    return true;
}

bool Sample::keeps(Cause cause, std::size_t bytes) {
    const bool is_anybody = cause == Cause::anybody;
    if (is_anybody && last_taken_ > 1) return false;
    std::size_t& kept = is_anybody ? kept_of_anybody_ : kept_of_providers_;
    if (kept + bytes > (is_anybody ? bytes_of_anybody : bytes_of_providers)) return false;
    kept += bytes;
    return true;
}

std::vector<LeftOut> Sample::ended(SteadyTime now) {
    if (now < ends_) return {};
    ends_ = now + window;
    return end();
}

std::vector<LeftOut> Sample::end() {
    std::vector<LeftOut> left_out;
    for (const auto& [key, seen] : seen_)
        if (seen.requests > seen.taken)
            left_out.push_back({key.first, key.second, seen.requests - seen.taken});
    seen_.clear();
    taken_of_anybody_ = 0;
    kept_of_anybody_ = 0;
    kept_of_providers_ = 0;
    return left_out;
}

}  // namespace sluice::callbacks
