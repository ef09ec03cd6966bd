#include "ingress/config/sources_reload.hpp"

#include "common/webhook/source_file/key_derivation.hpp"
#include "ingress/config/config.hpp"
#include "ingress/config/config_fingerprint.hpp"

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
        write("sluice.yaml", std::format("sources:\n  - {{name: s, recipe: stripe, keys: "
                                         "[{{id: k, value: {{file: {}}}}}], {}{}}}\n",
                                         (folder_ / "secret").string(), more,
                                         more.contains("principal: ") ? "" : ", principal: s"));
    }
    [[nodiscard]] double failed() { return metrics_.gauge("sluice_config_reload_failed", "").Value(); }

    fs::path folder_ = fs::temp_directory_path() / std::format("sluice-reload-{}", ::getpid());
    Metrics metrics_;
    Log log_{{.program = "unit", .descriptor = ::open("/dev/null", O_WRONLY)}};
    int used_ = 0;
    webhook::SourceSet last_;

    [[nodiscard]] std::string fingerprint() const {
        return content_fingerprint((folder_ / "sluice.yaml").string());
    }

    [[nodiscard]] std::vector<record::SourceKeys> keys_in_file() const {
        config::Problems problems;
        return webhook::keys_of(read_sources_of((folder_ / "sluice.yaml").string(), problems));
    }

    SourcesReload watch() {
        return {(folder_ / "sluice.yaml").string(),
                fingerprint(),
                keys_in_file(),
                [this](const webhook::SourceSet& sources) {
                    ++used_;
                    last_ = sources;
                },
                log_,
                metrics_};
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

// Whoever polls has it, and this program need not.
TEST_F(SourcesReloading, AProvidersKeyIsNotWatched) {
    const std::string key = (folder_ / "api-key").string();
    write_config(
        "max_body: 2KiB, principal: s}\n  - {name: list, recipe: stripe, principal: s, poll: {key: {file: " +
        key + "}}");
    SourcesReload reload = watch();
    const std::string before = fingerprint();
    write("api-key", "rk_live_first");
    EXPECT_EQ(fingerprint(), before);
    reload.force();
    EXPECT_EQ(failed(), 0);
    ASSERT_EQ(last_.size(), 2U);
    EXPECT_TRUE(last_[1]->polled);
}

TEST_F(SourcesReloading, WithoutAWebhookItIsSaid) {
    const auto warnings_of = [this](const std::string& sources) {
        write("sluice.yaml", "sources:\n" + sources);
        config::Problems problems;
        static_cast<void>(read_sources_of((folder_ / "sluice.yaml").string(), problems));
        return problems.warnings();
    };
    const std::string list = "  - {name: list, recipe: stripe, principal: s, poll: {}}\n";
    const auto said = warnings_of(list);
    ASSERT_EQ(said.size(), 1U);
    EXPECT_TRUE(said[0].contains("every source has poll: no webhook can be received")) << said[0];
    const std::string secret = "{file: " + (folder_ / "secret").string() + "}";
    const auto beside = warnings_of(
        list + "  - {name: s, recipe: stripe, principal: s, keys: [{id: k, value: " + secret + "}]}\n");
    EXPECT_TRUE(beside.empty()) << beside.front();
}

// Between the reading at the start and the first look a file may change too.
TEST_F(SourcesReloading, WhatChangedSinceItWasReadIsNoticed) {
    const std::string as_read = fingerprint();
    write_config("max_body: 4KiB");
    SourcesReload reload{(folder_ / "sluice.yaml").string(),
                         as_read,
                         keys_in_file(),
                         [this](const webhook::SourceSet&) { ++used_; },
                         log_,
                         metrics_};
    reload.check();
    reload.check();
    EXPECT_EQ(used_, 1);
}

/// A folder that a source's setting names, whatever the recipe calls it.
class CertificateFolders : public SourcesReloading {
protected:
    CertificateFolders() {
        fs::create_directories(folder_ / "certs");
        write(
            "sluice.yaml",
            std::format("sources:\n  - {{name: s, principal: s, recipe: own, with: {{kept: {}, word: s}}}}\n",
                        (folder_ / "certs").string()));
    }
    const std::string entry_ = "certs/" + std::string(64, 'a') + ".pem";
};

TEST_F(CertificateFolders, CountByTheirCertificates) {
    std::string last = fingerprint();
    const auto changed = [&] {
        const std::string before = std::exchange(last, fingerprint());
        return before != last;
    };
    EXPECT_FALSE(changed());
    write(entry_, "one");
    EXPECT_TRUE(changed());
    const auto time = fs::last_write_time(folder_ / entry_);
    write(entry_, "two");
    fs::last_write_time(folder_ / entry_, time);
    EXPECT_TRUE(changed()) << "content counts, not times";
    fs::rename(folder_ / entry_, folder_ / ("certs/" + std::string(64, 'b') + ".pem"));
    EXPECT_TRUE(changed());
    fs::remove_all(folder_ / "certs");
    EXPECT_TRUE(changed());
    fs::create_directories(folder_ / "certs");
    write(entry_, "");
    EXPECT_TRUE(changed());
}

TEST_F(CertificateFolders, AreSeenThroughWhateverLiesBesideThem) {
    for (int number = 0; number < 300; ++number) write("certs/note" + std::to_string(number), "");
    const std::string before = fingerprint();
    write("certs/." + std::string(64, 'a') + ".pem.XYZ", "a draft");
    EXPECT_EQ(fingerprint(), before);
    write(entry_, "one");
    EXPECT_NE(fingerprint(), before);
}

TEST_F(SourcesReloading, SignalReadsInAnyCase) {
    SourcesReload reload = watch();
    reload.force();
    EXPECT_EQ(used_, 1);
}

TEST_F(SourcesReloading, BadFileKeepsTheOldSourcesUntilItIsMended) {
    SourcesReload reload = watch();
    for (const std::string bad :
         {"sources: [", "", "sources:\n  - {name: s, principal: s, recipe: nope}\n"}) {
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

TEST_F(SourcesReloading, FileThatMakesOtherKeysKeepsTheOldSources) {
    SourcesReload reload = watch();
    const auto keys_changed = [this] { return metrics_.gauge("sluice_ingress_keys_changed", "").Value(); };
    EXPECT_EQ(keys_changed(), 0);
    for (const std::string other :
         {"order_by: [/data/object/customer]", "path: /v1/webhooks/s, principal: t"}) {
        write_config(other);
        reload.check();
        EXPECT_EQ(keys_changed(), 1) << other;
        EXPECT_EQ(failed(), 1) << other;
    }
    EXPECT_EQ(used_, 0);
    write_config("max_body: 4KiB");
    reload.check();
    EXPECT_EQ(keys_changed(), 0);
    EXPECT_EQ(used_, 1);
}

TEST_F(SourcesReloading, APathThatWasGoneMeanwhileIsRemembered) {
    SourcesReload reload = watch();
    write_config("path: /elsewhere");
    reload.check();
    EXPECT_EQ(used_, 1);
    write_config("path: /v1/webhooks/s, principal: t");
    reload.check();
    EXPECT_EQ(failed(), 1);
    EXPECT_EQ(used_, 1);
}

TEST_F(SourcesReloading, AnAccountThatWasGoneMeanwhileIsRemembered) {
    SourcesReload reload = watch();
    write_config("path: /other, principal: other");
    reload.check();
    EXPECT_EQ(used_, 1);
    write_config("path: /third, order_by: [/data/object/customer]");
    reload.check();
    EXPECT_EQ(failed(), 1);
    EXPECT_EQ(used_, 1);
    write_config("path: /third");
    reload.check();
    EXPECT_EQ(used_, 2);
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
