#pragma once

#include <map>
#include <string>

#include "common/secret.hpp"

namespace sluice::verify {

/// What a source gives under `with`, by the setting's name.
struct SettingValues {
    std::map<std::string, std::string, std::less<>> texts;
    std::map<std::string, Secret, std::less<>> secrets;
};

}  // namespace sluice::verify
