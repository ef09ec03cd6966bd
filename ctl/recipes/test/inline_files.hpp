#pragma once

#include <filesystem>
#include <string>

#include <yaml-cpp/yaml.h>

#include "common/config/section.hpp"

namespace sluice::ctl {

/// A source in a file of samples may hold what a configuration only refers to: {text: …} instead of
/// {file: PATH}, {files: {NAME: TEXT}} instead of a folder. This object keeps such texts in a folder
/// that no other user can read, and removes it at its end.
class InlineFiles {
public:
    InlineFiles();  ///< throws Stopped when there is no room for it
    ~InlineFiles();
    InlineFiles(const InlineFiles&) = delete;
    InlineFiles& operator=(const InlineFiles&) = delete;

    /// Rewrites `keys` and `with` of a source in place; what cannot be is a problem at its place.
    void put_out(YAML::Node source, const std::string& file, config::Problems& problems);

private:
    void put_out_text(YAML::Node value);
    [[nodiscard]] std::string put_out_folder(const YAML::Node& files, const config::Value& value);
    [[nodiscard]] std::string write(const std::filesystem::path& name, const std::string& text) const;

    std::filesystem::path folder_;
    int count_ = 0;
};

}  // namespace sluice::ctl
