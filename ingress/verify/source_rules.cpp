#include "ingress/verify/source_rules.hpp"

#include <algorithm>

#include "common/crypto/digest.hpp"
#include "ingress/verify/program.hpp"

namespace sluice::verify {

namespace {

bool is_same_order(const Source& a, const Source& b) {
    return std::ranges::equal(a.program->extraction.order_by, b.program->extraction.order_by, {},
                              &ObjectField::value, &ObjectField::value);
}

bool share_a_key(const Source& a, const Source& b) {
    return std::ranges::any_of(a.program->keys, [&](const Key& mine) {
        return std::ranges::any_of(b.program->keys, [&](const Key& theirs) {
            return crypto::equal_constant_time(mine.material.bytes(), theirs.material.bytes());
        });
    });
}

std::string in_quotes(const std::string& text) {
    return "\"" + text + "\"";
}

void check_pair(const PlacedSource& earlier, const PlacedSource& later, config::Problems& problems) {
    const Source& a = *earlier.source;
    const Source& b = *later.source;
    const std::string other = in_quotes(a.name) + " (" + earlier.place.text() + ")";
    if (a.name == b.name) problems.add(later.place, "there is already a source " + other);
    if (a.path == b.path)
        problems.add(later.place, "source " + other + " has the path " + in_quotes(b.path) + " already");
    if (share_a_key(a, b)) {
        problems.warn(later.place, "source " + in_quotes(b.name) + " shares key material with source " +
                                       other + ": what is signed for one is accepted by the other");
    }
    if (a.provider != b.provider || a.principal != b.principal) return;
    const std::string together = "source " + in_quotes(b.name) + " shares principal " +
                                 in_quotes(b.principal) + " with source " + other + ", so ";
    if (a.recipe != b.recipe) problems.add(later.place, together + "both need the same recipe");
    if (!is_same_order(a, b)) problems.add(later.place, together + "both need the same order_by");
}

}  // namespace

void check_together(std::span<const PlacedSource> sources, config::Problems& problems) {
    for (std::size_t later = 1; later < sources.size(); ++later) {
        for (std::size_t earlier = 0; earlier < later; ++earlier) {
            check_pair(sources[earlier], sources[later], problems);
        }
    }
}

}  // namespace sluice::verify
