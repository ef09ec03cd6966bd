#include "ingress/spill/segment.hpp"

#include <algorithm>
#include <array>

#include <fcntl.h>

#include "common/crypto/random.hpp"
#include "common/failpoint.hpp"

namespace sluice::spill {
namespace {

Result<void> write_at(int file, std::size_t at, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(at));
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return Failure{last_error()};
        at += static_cast<std::size_t>(written);
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return {};
}

}  // namespace

Result<Segment> Segment::create(const Folder& folder, SegmentNumber number) {
    const auto path = folder.path_of(number);
    FileDescriptor file{::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, owner_only)};
    if (!file.is_open()) return Failure{last_error()};
    Mark mark;
    crypto::write_random_hex(mark);
    Segment made{std::move(file), number, mark};
    const auto written = made.append(segment_head(made.mark_));
    if (written && made.sync() && !FP("ingress.spill_before_names_are_synced") && folder.sync()) return made;
    ::unlink(path.c_str());  // nothing in it was answered for
    return Failure{written ? std::make_error_code(std::errc::io_error) : written.error()};
}

Result<void> Segment::append(std::string_view bytes) {
    const auto written = write_at(file_.number(), size_, bytes);
    if (written) {
        size_ += bytes.size();
        return {};
    }
    if (may_pass(written.error()) && ::ftruncate(file_.number(), static_cast<off_t>(size_)) != 0)
        return Failure{last_error()};
    return written;
}

Result<void> Segment::sync() {
    if (::fdatasync(file_.number()) != 0) return Failure{last_error()};
    return {};
}

bool may_pass(std::error_code error) noexcept {
    constexpr std::array passing{ENOSPC, EDQUOT, EMFILE, ENFILE, ENOMEM};
    return std::ranges::contains(passing, error.value());
}

Result<std::string> read_segment(const Folder& folder, SegmentNumber number, std::size_t from,
                                 std::size_t to) {
    const FileDescriptor file{::open(folder.path_of(number).c_str(), O_RDONLY | O_CLOEXEC)};
    if (!file.is_open()) return Failure{last_error()};
    std::string bytes(to - from, '\0');
    std::size_t had = 0;
    while (had < bytes.size()) {
        const ssize_t got =
            ::pread(file.number(), bytes.data() + had, bytes.size() - had, static_cast<off_t>(from + had));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return Failure{last_error()};
        if (got == 0) break;
        had += static_cast<std::size_t>(got);
    }
    bytes.resize(had);
    return bytes;
}

}  // namespace sluice::spill
