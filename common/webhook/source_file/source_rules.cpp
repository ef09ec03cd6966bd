#include "common/webhook/source_file/source_rules.hpp"

#include <algorithm>

#include "common/crypto/digest.hpp"
#include "common/webhook/recipe/program.hpp"
#include "common/webhook/source_file/key_derivation.hpp"

namespace sluice::webhook {

namespace {

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

/// "eu" (sluice.yaml:2, path /v1/webhooks/eu)
std::string with_place_and_path(const PlacedSource& one) {
    return in_quotes(one.source->name) + " (" + one.place.text() + ", path " + one.source->path + ")";
}

std::string difference(const PlacedSource& earlier, const PlacedSource& later) {
    const auto keys = keys_of({earlier.source, later.source});
    return record::difference_of({keys.front(), keys.back()}, "here");
}

void check_account(const PlacedSource& earlier, const PlacedSource& later, config::Problems& problems) {
    const Source& a = *earlier.source;
    const Source& b = *later.source;
    if (a.provider != b.provider || a.principal != b.principal) return;
    const std::string together = "source " + in_quotes(b.name) + " (path " + b.path + ") shares principal " +
                                 in_quotes(b.principal) + " with source " + with_place_and_path(earlier) +
                                 ", so ";
    if (a.recipe != b.recipe) {
        problems.add(later.place, together + "both need the same recipe, or different principals");
    } else if (a.program->keys_stamp != b.program->keys_stamp) {
        problems.add(later.place, together +
                                      "the keys of their events must be made in the same way, and differ (" +
                                      difference(earlier, later) +
                                      "): give both the same `order_by` and `with`, or different principals");
    }
}

void check_pair(const PlacedSource& earlier, const PlacedSource& later, config::Problems& problems) {
    const Source& a = *earlier.source;
    const Source& b = *later.source;
    const std::string other = in_quotes(a.name) + " (" + earlier.place.text() + ")";
    if (a.name == b.name) problems.add(later.place, "there is already a source " + other);
    if (a.path == b.path)
        problems.add(later.place, "source " + other + " already has the path " + in_quotes(b.path));
    if (share_a_key(a, b)) {
        problems.warn(later.place, "source " + in_quotes(b.name) + " shares key material with source " +
                                       other + ": each accepts what is signed for the other");
    }
    check_account(earlier, later, problems);
}

}  // namespace

void check_together(std::span<const PlacedSource> sources, config::Problems& problems) {
    for (std::size_t later = 1; later < sources.size(); ++later) {
        for (std::size_t earlier = 0; earlier < later; ++earlier) {
            check_pair(sources[earlier], sources[later], problems);
        }
    }
}

}  // namespace sluice::webhook
