#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <sys/types.h>

#include "common/file_descriptor.hpp"
#include "common/result.hpp"

namespace sluice::spill {

/// Of all files: bodies are nobody else's to read.
inline constexpr ::mode_t owner_only = 0600;

/// Segments are numbered from 1, in the order in which they were begun.
using SegmentNumber = std::uint64_t;

/// The folder of a journal, held by this process alone as long as this lives.
class Folder {
public:
    /// Throws config::Refused: there is no such folder, it cannot be written, it lies in memory or in the
    /// layer of a container (tmpfs, ramfs, overlayfs), or another process holds it.
    explicit Folder(std::filesystem::path path);

    /// Those that are there, the oldest first.
    [[nodiscard]] std::vector<SegmentNumber> segments() const;
    /// Above all that are there or were set aside.
    [[nodiscard]] SegmentNumber next_number() const;
    [[nodiscard]] std::filesystem::path path_of(SegmentNumber number) const;

    /// A file that has just been made, or removed, is so also after a power cut.
    [[nodiscard]] Result<void> sync() const;
    [[nodiscard]] Result<void> remove(SegmentNumber number) const;
    /// Keeps it beside the journal, for people: "00000007.spill.damaged".
    [[nodiscard]] Result<void> set_aside(SegmentNumber number) const;

private:
    std::filesystem::path path_;
    FileDescriptor folder_;
    FileDescriptor lock_;
};

}  // namespace sluice::spill
