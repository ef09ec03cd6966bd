#include "ingress/sources_reload.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <format>
#include <fstream>

namespace sluice::ingress {
namespace {

namespace fs = std::filesystem;

/// A folder with a configuration and a secret, as Kubernetes mounts them.
class SourcesReloading : public testing::Test {
protected:
    SourcesReloading() {
        fs::create_directories(folder_);
        write("secret", "whsec_first");
        write_config("max_body: 2KiB");
    }
    ~SourcesReloading() override { fs::remove_all(folder_); }

    void write(const std::string& name, const std::string& text) const {
        std::ofstream{folder_ / name} << text;
    }
    void write_config(const std::string& more) const {
        write("sluice.yaml",
              std::format(
                  "sources:\n  - {{name: s, recipe: stripe, keys: [{{id: k, value: {{file: {}}}}}], {}}}\n",
                  (folder_ / "secret").string(), more));
    }
    [[nodiscard]] double failed() { return metrics_.gauge("sluice_config_reload_failed", "").Value(); }

    fs::path folder_ = fs::temp_directory_path() / std::format("sluice-reload-{}", ::getpid());
    Metrics metrics_;
    Log log_{{.program = "unit", .descriptor = ::open("/dev/null", O_WRONLY)}};
    int used_ = 0;
    verify::SourceSet last_;

    SourcesReload watch() {
        return {(folder_ / "sluice.yaml").string(),
                [this](const verify::SourceSet& sources) {
                    ++used_;
                    last_ = sources;
                },
                log_, metrics_};
    }
};

TEST_F(SourcesReloading, NothingChangedIsNotReadAgain) {
    SourcesReload reload = watch();
    for (int i = 0; i < 3; ++i) reload.check();
    EXPECT_EQ(used_, 0);
}

TEST_F(SourcesReloading, ChangedFileIsNoticedOnce) {
    SourcesReload reload = watch();
    write_config("max_body: 4KiB");
    reload.check();
    reload.check();
    EXPECT_EQ(used_, 1);
    ASSERT_EQ(last_.size(), 1U);
    EXPECT_EQ(last_[0]->max_body, 4096U);
}

TEST_F(SourcesReloading, ChangedSecretIsNoticed) {
    SourcesReload reload = watch();
    write("secret", "whsec_second");
    reload.check();
    EXPECT_EQ(used_, 1);
}

TEST_F(SourcesReloading, SignalReadsInAnyCase) {
    SourcesReload reload = watch();
    reload.force();
    EXPECT_EQ(used_, 1);
}

TEST_F(SourcesReloading, BadFileKeepsTheOldSourcesUntilItIsMended) {
    SourcesReload reload = watch();
    for (const std::string bad : {"sources: [", "", "sources:\n  - {name: s, recipe: nope}\n"}) {
        write("sluice.yaml", bad);
        reload.check();
        EXPECT_EQ(failed(), 1) << bad;
    }
    EXPECT_EQ(used_, 0);
    write_config("max_body: 2KiB");
    reload.check();
    EXPECT_EQ(failed(), 0);
    EXPECT_EQ(used_, 1);
}

TEST_F(SourcesReloading, AliasesThatNeverEndKeepTheOldSources) {
    SourcesReload reload = watch();
    for (const std::string bad : {"sources: &a [*a]", "sources: &a {file: *a}"}) {
        write("sluice.yaml", bad);
        reload.check();
        EXPECT_EQ(failed(), 1) << bad;
    }
    EXPECT_EQ(used_, 0);
}

TEST_F(SourcesReloading, FileThatIsAFolderKeepsTheOldSources) {
    SourcesReload reload = watch();
    fs::remove(folder_ / "secret");
    fs::create_directory(folder_ / "secret");
    EXPECT_NO_THROW(reload.check());
    fs::remove(folder_ / "sluice.yaml");
    fs::create_directory(folder_ / "sluice.yaml");
    EXPECT_NO_THROW(reload.check());
    EXPECT_EQ(failed(), 1);
    EXPECT_EQ(used_, 0);
}

TEST_F(SourcesReloading, SecretThatIsGoneKeepsTheOldSources) {
    SourcesReload reload = watch();
    fs::remove(folder_ / "secret");
    reload.check();
    EXPECT_EQ(failed(), 1);
    EXPECT_EQ(used_, 0);
}

TEST_F(SourcesReloading, SwappedLinkIsNoticed) {
    fs::create_directories(folder_ / "other");
    write("other/sluice.yaml", "");
    fs::create_symlink(folder_ / "sluice.yaml", folder_ / "link");
    const std::string before = content_fingerprint((folder_ / "link").string());
    fs::remove(folder_ / "link");
    fs::create_symlink(folder_ / "other/sluice.yaml", folder_ / "link");
    EXPECT_NE(content_fingerprint((folder_ / "link").string()), before);
}

}  // namespace
}  // namespace sluice::ingress
