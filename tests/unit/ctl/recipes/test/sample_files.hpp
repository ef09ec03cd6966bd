#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <unistd.h>

#include <gtest/gtest.h>

#include "ctl/recipes/test/trial_report.hpp"
#include "tests/unit/ctl/sample_source.hpp"

namespace sluice::ctl {

/// Files of samples in a folder of their own, read and judged.
class TrialTest : public testing::Test {
protected:
    class NoonClock final : public Clock {
    public:
        [[nodiscard]] WallTime wall() const override { return at(1'790'000'000); }
        [[nodiscard]] SteadyTime steady() const override { return {}; }
    };

    void SetUp() override {
        folder_ = std::filesystem::path{testing::TempDir()} / ("trial" + std::to_string(getpid()));
        std::filesystem::create_directories(folder_ / "meanwhile");
        ::setenv("TMPDIR", (folder_ / "meanwhile").c_str(), 1);
    }
    void TearDown() override {
        ::unsetenv("TMPDIR");
        std::filesystem::remove_all(folder_);
    }

    std::string file(const std::string& name, const std::string& content) const {
        const auto path = folder_ / name;
        std::ofstream{path, std::ios::binary} << content;
        return path.string();
    }
    SampleFile read(const std::string& samples) {
        Console console{.out = out_, .err = out_, .clock = clock_};
        return read_sample_file(file("acme.yaml", samples), webhook::RecipeSet::builtin(), console);
    }
    TrialReport report(const std::string& samples) { return try_samples(read(samples)); }
    /// Why the file cannot be used.
    std::string refusal(const std::string& samples) {
        try {
            static_cast<void>(read(samples));
        } catch (const Stopped& stopped) {
            return stopped.what();
        }
        return "it can be used";
    }

    std::filesystem::path folder_;
    std::ostringstream out_;
    NoonClock clock_;
};

/// GitHub's published example: one secret, one body, one signature.
inline const std::string github_samples =
    "recipe: github\n"
    "source: {keys: [{id: a, value: {text: \"It's a Secret to Everybody\"}}]}\n"
    "samples:\n"
    "  - name: published\n"
    "    headers:\n"
    "      X-Hub-Signature-256: sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17\n"
    "    body: Hello, World!\n"
    "    accepted: true\n"
    "    key: a\n"
    "    events: []\n";

}  // namespace sluice::ctl
