#pragma once

#include <map>
#include <string>
#include <vector>

#include "common/secret.hpp"
#include "common/webhook/recipe/certificate_folder.hpp"

namespace sluice::webhook {

/// What a source gives under `with`, by the setting's name.
struct SettingValues {
    std::map<std::string, std::string, std::less<>> texts;
    std::map<std::string, Secret, std::less<>> secrets;
    std::map<std::string, std::vector<std::string>, std::less<>> lists;
    std::map<std::string, crypto::Certificates, std::less<>> certificates;
    std::map<std::string, CertificateFolder, std::less<>> folders;
};

}  // namespace sluice::webhook
