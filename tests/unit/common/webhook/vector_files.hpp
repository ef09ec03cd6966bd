#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include <unistd.h>

#include "tests/unit/common/webhook/fixture.hpp"

namespace sluice::webhook::test {

using Json = nlohmann::json;

inline Json read_vectors(const std::string& recipe) {
    std::ifstream file(std::filesystem::path(SLUICE_VECTORS) / (recipe + ".json"));
    return Json::parse(file);
}

/// What stands in the vectors as text, a configuration refers to.
inline void refer_to_secrets(Json& source) {
    int number = 0;
    for (Json& key : source["keys"]) {
        const std::string name = "SLUICE_VECTOR_KEY_" + std::to_string(number++);
        ::setenv(name.c_str(), key["value"].get<std::string>().c_str(), 1);
        key["value"] = {{"env", name}};
    }
}

/// Files of one test program, gone when it ends.
class Files {
public:
    Files() : folder_(std::filesystem::temp_directory_path() / ("vectors_" + std::to_string(::getpid()))) {}
    ~Files() { std::filesystem::remove_all(folder_); }
    Files(const Files&) = delete;
    Files& operator=(const Files&) = delete;

    std::string write(const std::string& name, const std::string& text) {
        const auto path = folder_ / name;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path, std::ios::binary) << text;
        return path;
    }
    std::string folder_of(const std::string& name, const Json& files) {
        std::filesystem::remove_all(folder_ / name);
        for (const auto& [file, text] : files.items()) write(name + "/" + file, text);
        return folder_ / name;
    }

private:
    std::filesystem::path folder_;
};

inline void refer_to_files(Json& source, Files& files, const std::string& prefix = "") {
    for (auto& [name, value] : source["with"].items()) {
        if (!value.is_object()) continue;
        if (value.contains("text")) value = {{"file", files.write(prefix + name, value["text"])}};
        if (value.contains("files")) value = files.folder_of(prefix + name, value["files"]);
    }
}

inline Configured configured_for(Json source, const Json& recipe, Files& files) {
    refer_to_secrets(source);
    if (source.contains("with")) refer_to_files(source, files);
    source["recipe"] = recipe;
    source["name"] = recipe;
    source["principal"] = recipe;
    return Configured("sources: [" + source.dump() + "]\n");
}

}  // namespace sluice::webhook::test
