#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::record {

/// What the keys of one path's events are made of. The dedup key is made of provider, principal, and the id
/// and mode of `made_of`; the ordering key of provider, principal, and the order of `made_of`.
struct SourceKeys {
    std::string path;
    std::string provider;
    std::string principal;
    std::string made_of;  ///< lines `what: where` (common/webhook/source_file/key_derivation.hpp); equal
                          ///< texts, equal keys

    [[nodiscard]] bool operator==(const SourceKeys&) const = default;
};

/// A path, or an account, whose events would have other keys.
struct KeyChange {
    SourceKeys before;
    SourceKeys now;
};

/// What in `now` contradicts `before`: a path that was another account's, or an account (provider and
/// principal) whose keys were made differently, at this path or another. At most one change for each path of
/// `now`, in their order. A path or account that `before` does not know is not a change. Nor are more
/// alternatives of `id` after the known ones: they read what could not be read before.
[[nodiscard]] std::vector<KeyChange> changed_keys(std::span<const SourceKeys> before,
                                                  std::span<const SourceKeys> now);

/// What in `now` is to be recorded: paths that `before` does not know, and paths whose `id` has more
/// alternatives. Only for sources in which `changed_keys` finds nothing.
[[nodiscard]] std::vector<SourceKeys> news_of(std::span<const SourceKeys> before,
                                              std::span<const SourceKeys> now);

/// "principal acct_a, now acct_b; order: "/a", now "/b"": all that differs. `now` is the word for the later.
[[nodiscard]] std::string difference_of(const KeyChange& change, std::string_view now = "now");

/// The sentence of a refusal; `changes` is not empty.
[[nodiscard]] std::string keys_changed(std::span<const KeyChange> changes);

/// The digest of `made_of`, in 16 hex digits. The stamp of a record (sluice-keys) is one or more of them: the
/// first for the first alternative of the id alone, the second for two, and so on up to the alternative that
/// gave the id.
[[nodiscard]] std::string keys_digest(std::string_view made_of);

/// The part of the stamp of all alternatives that belongs to an id which stood at `place`, from 0.
[[nodiscard]] std::string_view stamp_up_to(std::string_view stamp, std::size_t place);

/// Whether two stamps agree as far as both go. The further alternatives of the longer one read what the
/// shorter one's file could not read at all.
[[nodiscard]] bool stamps_agree(std::string_view a, std::string_view b);

}  // namespace sluice::record
