#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::record {

/// What the keys of one path's events are made of. The dedup key is provider, principal, and what `made_of`
/// says of id and mode; the record key provider, principal, and what it says of order.
struct SourceKeys {
    std::string path;
    std::string provider;
    std::string principal;
    std::string made_of;  ///< lines `what: where` (ingress/verify/made_of.hpp); the same text, the same keys

    [[nodiscard]] bool operator==(const SourceKeys&) const = default;
};

/// A path, or an account, whose events would have other keys.
struct KeyChange {
    SourceKeys before;
    SourceKeys now;
};

/// What of `now` does not go with `before`: a path that was another account's, or an account (provider and
/// principal) whose keys were made otherwise, at this path or another. At most one for each path of `now`, in
/// their order. A path or account that `before` does not know is no change. Nor are alternatives behind those
/// of `id`: they say what could not be read before.
[[nodiscard]] std::vector<KeyChange> changed_keys(std::span<const SourceKeys> before,
                                                  std::span<const SourceKeys> now);

/// What of `now` is to be written down: paths that `before` does not know, and those whose `id` has more
/// alternatives. Of sources that `changed_keys` finds nothing in.
[[nodiscard]] std::vector<SourceKeys> news_of(std::span<const SourceKeys> before,
                                              std::span<const SourceKeys> now);

/// "principal acct_a, now acct_b; order: "/a", now "/b"": all that differs. `now` is the word for the later.
[[nodiscard]] std::string difference_of(const KeyChange& change, std::string_view now = "now");

/// The sentence of whoever refuses; `changes` is not empty.
[[nodiscard]] std::string keys_changed(std::span<const KeyChange> changes);

/// `made_of` in 16 hex digits. A stamp, as records have it (sluice-keys), is one or more of them: the first
/// for the first alternative of the id alone, the second for two, and so on up to the one that gave the id.
[[nodiscard]] std::string keys_digest(std::string_view made_of);

/// Of the stamp of all alternatives what an event has whose id stood at `place`, from 0.
[[nodiscard]] std::string_view stamp_up_to(std::string_view stamp, std::size_t place);

/// Whether two stamps speak of the same keys as far as both go. Alternatives behind those of the one read
/// what it could not read at all.
[[nodiscard]] bool stamps_agree(std::string_view a, std::string_view b);

}  // namespace sluice::record
