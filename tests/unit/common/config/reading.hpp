#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include <unistd.h>

#include "common/config/section.hpp"

namespace sluice::config {

/// A configuration text with what is said about it. The first line of the text is line 1.
class Reading {
public:
    explicit Reading(const std::string& text)
        : document_{Document::from_text(text, "test.yaml", problems_)} {}
    Reading(const Reading&) = delete;
    Reading& operator=(const Reading&) = delete;

    [[nodiscard]] const Document& document() const { return document_; }
    [[nodiscard]] Problems& problems() { return problems_; }
    [[nodiscard]] std::string report() const { return problems_.report(); }
    [[nodiscard]] Section section(std::string_view key) const { return document_.section(key); }

private:
    Problems problems_;
    Document document_;
};

/// A file that is there for one test.
class TestFile {
public:
    TestFile(const std::string& name, const std::string& content)
        : path_{std::filesystem::temp_directory_path() /
                ("sluice-unit-" + std::to_string(::getpid()) + "-" + name)} {
        std::ofstream{path_, std::ios::binary} << content;
    }
    TestFile(const TestFile&) = delete;
    TestFile& operator=(const TestFile&) = delete;
    ~TestFile() { std::filesystem::remove(path_); }

    [[nodiscard]] std::string path() const { return path_.string(); }

private:
    std::filesystem::path path_;
};

}  // namespace sluice::config
