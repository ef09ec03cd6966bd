#pragma once

#include <map>
#include <string>
#include <vector>

#include "common/config/section.hpp"
#include "common/secret.hpp"
#include "common/webhook/recipe/certificate_folder.hpp"
#include "common/webhook/recipe/recipe.hpp"

namespace sluice::webhook {

/// What a source gives under `with`, by the setting's name.
struct SettingValues {
    std::map<std::string, std::string, std::less<>> texts;
    std::map<std::string, Secret, std::less<>> secrets;
    std::map<std::string, std::vector<std::string>, std::less<>> lists;
    std::map<std::string, crypto::Certificates, std::less<>> certificates;
    std::map<std::string, CertificateFolder, std::less<>> folders;
};

/// `with:` of a source: every setting of the recipe, and no other. Without `resolve`, of secrets and
/// files only those are read that bodies are decoded with.
[[nodiscard]] SettingValues read_settings(config::Section with, const Recipe& recipe, bool resolve,
                                          config::Problems& problems);

}  // namespace sluice::webhook
