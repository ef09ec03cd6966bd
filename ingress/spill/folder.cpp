#include "ingress/spill/folder.hpp"

#include <algorithm>
#include <charconv>
#include <format>
#include <optional>
#include <string_view>

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/file.h>
#include <sys/vfs.h>

#include "common/config/problems.hpp"
#include "common/failpoint.hpp"

namespace sluice::spill {
namespace {

constexpr std::string_view extension = ".spill";
constexpr std::string_view damaged_extension = ".spill.damaged";

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& why) {
    throw config::Refused{std::format("spill.path {} {}", path.string(), why)};
}

[[noreturn]] void refuse_with_error(const std::filesystem::path& path, std::string_view what) {
    refuse(path, std::format("{}: {}", what, last_error().message()));
}

/// What is there only as long as the machine, or the container, is.
std::optional<std::string_view> passing_file_system(const FileDescriptor& folder,
                                                    const std::filesystem::path& path) {
    struct ::statfs facts{};
    if (::fstatfs(folder.number(), &facts) != 0) refuse_with_error(path, "cannot be looked at");
    switch (static_cast<unsigned long>(facts.f_type)) {
        case TMPFS_MAGIC:
            return "tmpfs";
        case RAMFS_MAGIC:
            return "ramfs";
        case OVERLAYFS_SUPER_MAGIC:
            return "overlayfs";
        default:
            return std::nullopt;
    }
}

/// nullopt: not a file of ours.
std::optional<SegmentNumber> number_of(std::string_view name, std::string_view ending) {
    SegmentNumber number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error != std::errc{} || std::string_view{end} != ending || number == 0) return std::nullopt;
    return number;
}

}  // namespace

Folder::Folder(std::filesystem::path path) : path_{std::move(path)} {
    folder_ = FileDescriptor{::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    if (!folder_.is_open()) refuse_with_error(path_, "cannot be opened");
    if (const auto passing = passing_file_system(folder_, path_); passing && !FP("ingress.spill_anywhere"))
        refuse(path_,
               std::format("lies on {}, which ends with the machine or the container; answered webhooks "
                           "need a persistent volume",
                           *passing));
    lock_ = FileDescriptor{::openat(folder_.number(), "lock", O_RDWR | O_CREAT | O_CLOEXEC, owner_only)};
    if (!lock_.is_open()) refuse_with_error(path_, "cannot be written");
    if (::flock(lock_.number(), LOCK_EX | LOCK_NB) != 0)
        refuse(path_, "is held by another process; each ingress needs a folder of its own");
}

std::vector<SegmentNumber> Folder::segments() const {
    std::vector<SegmentNumber> numbers;
    for (const auto& entry : std::filesystem::directory_iterator{path_})
        if (const auto number = number_of(entry.path().filename().string(), extension))
            numbers.push_back(*number);
    std::ranges::sort(numbers);
    return numbers;
}

SegmentNumber Folder::next_number() const {
    SegmentNumber last = 0;
    for (const auto& entry : std::filesystem::directory_iterator{path_}) {
        const std::string name = entry.path().filename().string();
        for (const std::string_view ending : {extension, damaged_extension})
            last = std::max(last, number_of(name, ending).value_or(0));
    }
    return last + 1;
}

std::filesystem::path Folder::path_of(SegmentNumber number) const {
    return path_ / std::format("{:08}{}", number, extension);
}

Result<void> Folder::sync() const {
    if (::fsync(folder_.number()) != 0) return Failure{last_error()};
    return {};
}

Result<void> Folder::remove(SegmentNumber number) const {
    if (::unlink(path_of(number).c_str()) != 0) return Failure{last_error()};
    return {};
}

Result<void> Folder::set_aside(SegmentNumber number) const {
    std::error_code error;
    const auto file = path_of(number);
    std::filesystem::rename(file, std::filesystem::path{file}.replace_extension(damaged_extension), error);
    if (error) return Failure{error};
    return {};
}

}  // namespace sluice::spill
