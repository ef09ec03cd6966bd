#include "ctl/paypal/file_in_place.hpp"

#include <fstream>
#include <iterator>

#include <gtest/gtest.h>
#include <unistd.h>

namespace sluice::ctl {
namespace {

namespace fs = std::filesystem;

class FileInPlace : public testing::Test {
protected:
    FileInPlace() { fs::create_directories(folder_); }
    ~FileInPlace() override { fs::remove_all(folder_); }

    [[nodiscard]] std::string content() const {
        std::ifstream in{folder_ / "a.pem"};
        return {std::istreambuf_iterator<char>{in}, {}};
    }
    [[nodiscard]] std::ptrdiff_t files() const {
        return std::distance(fs::directory_iterator{folder_}, fs::directory_iterator{});
    }

    fs::path folder_ = fs::temp_directory_path() / ("in-place" + std::to_string(::getpid()));
};

TEST_F(FileInPlace, IsWholeReadableAndAlone) {
    for (const std::string text : {"first", "", "the second one"}) {
        put_in_place(folder_ / "a.pem", text);
        EXPECT_EQ(content(), text);
        EXPECT_EQ(files(), 1);
        EXPECT_EQ(fs::status(folder_ / "a.pem").permissions(), fs::perms{0644});
    }
}

// Who has the old file open goes on reading it: it is replaced, never written to.
TEST_F(FileInPlace, LeavesTheOldOneToThoseWhoReadIt) {
    put_in_place(folder_ / "a.pem", "old");
    std::ifstream reader{folder_ / "a.pem"};
    put_in_place(folder_ / "a.pem", "new");
    EXPECT_EQ((std::string{std::istreambuf_iterator<char>{reader}, {}}), "old");
}

TEST_F(FileInPlace, FailsWithTheReasonAndLeavesNothing) {
    EXPECT_THROW(put_in_place(folder_ / "nowhere" / "a.pem", "x"), std::system_error);
    fs::create_directory(folder_ / "a.pem");
    EXPECT_THROW(put_in_place(folder_ / "a.pem", "x"), std::system_error);
    EXPECT_EQ(files(), 1);
}

}  // namespace
}  // namespace sluice::ctl
