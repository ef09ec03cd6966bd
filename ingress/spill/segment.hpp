#pragma once

#include <string>
#include <string_view>

#include "common/file_descriptor.hpp"
#include "common/result.hpp"
#include "ingress/spill/folder.hpp"
#include "ingress/spill/frame.hpp"

namespace sluice::spill {

/// A segment that is being written. What was appended is safe once `sync` has succeeded. After any other
/// error than "no space" nothing more may be appended: the kernel may have dropped pages and call them
/// written. One thread.
class Segment {
public:
    /// Empty, with its head; its name and its head are synced. That a sync fails never passes.
    [[nodiscard]] static Result<Segment> create(const Folder& folder, SegmentNumber number);

    /// All of it, or as if nothing of it.
    [[nodiscard]] Result<void> append(std::string_view bytes);
    [[nodiscard]] Result<void> sync();

    [[nodiscard]] SegmentNumber number() const noexcept { return number_; }
    [[nodiscard]] const Mark& mark() const noexcept { return mark_; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }

private:
    Segment(FileDescriptor file, SegmentNumber number, const Mark& mark)
        : file_{std::move(file)}, number_{number}, mark_{mark} {}

    FileDescriptor file_;
    SegmentNumber number_;
    Mark mark_;
    std::size_t size_ = 0;
};

/// No room on the disk or for this user, or too many files are open: the next try may succeed.
[[nodiscard]] bool may_pass(std::error_code error) noexcept;

/// [from, to) of a segment, or as much of it as there is.
[[nodiscard]] Result<std::string> read_segment(const Folder& folder, SegmentNumber number, std::size_t from,
                                               std::size_t to);

}  // namespace sluice::spill
