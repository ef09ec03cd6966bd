#include "tests/fuzz/extract/pointers.hpp"

#include <simdjson.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "common/error.hpp"
#include "tests/fuzz/extract/reference.hpp"
#include "tests/fuzz/json/json_mask.hpp"
#include "tests/fuzz/support/require.hpp"

namespace sluice::fuzz {
namespace {

constexpr std::size_t most_pointers = 20;

/// The reference takes a pointer apart at every slash, and cannot tell a stand-in from a key.
bool is_plain(const std::string& name) {
    return name.find_first_of("/~") == std::string::npos && !name.contains(half_pair);
}

void collect(const Json& value, const std::string& pointer, std::vector<std::string>& pointers) {
    for (std::size_t i = 0; i < value.values.size() && pointers.size() < most_pointers; ++i) {
        const bool is_member = value.kind == Json::Kind::object;
        const std::string name = is_member ? value.names[i] : std::to_string(i);
        if (!is_plain(name)) continue;
        const std::string below = pointer + '/' + name;
        pointers.push_back(below);
        collect(value.values[i], below, pointers);
    }
    if (pointers.size() < most_pointers) pointers.push_back(pointer + "/id");
}

std::string minified(std::string_view json) {
    const auto target = std::make_unique<char[]>(json.size() + simdjson::SIMDJSON_PADDING);
    std::size_t size = 0;
    require(simdjson::minify(json.data(), json.size(), target.get(), size) == simdjson::SUCCESS,
            "it is JSON");
    return {target.get(), size};
}

std::error_code expected(const Found& found) {
    if (found) return {};
    return found.error() == Absent::twin ? errc::duplicate_key : errc::missing_pointer;
}

template <class T>
void has(const Result<T>& answer, const Found& found, const std::string& pointer) {
    require((answer ? std::error_code{} : answer.error()) == expected(found),
            "a pointer's answer is the tree's", pointer);
}

void agrees(const webhook::JsonView& view, const webhook::Pointer& pointer, const Found& found) {
    has(view.type(pointer), found, pointer.text());
    const auto written = view.written(pointer);
    has(written, found, pointer.text());
    if (!found) return;
    require(view.minified_view(pointer) == minified(*written), "nothing but white space is left out",
            *written);
    require(read_json(*written) == **found, "what a pointer names is written there", *written);
}

}  // namespace

void pointers_agree(const webhook::JsonView& view, const Json& root) {
    std::vector<std::string> texts;
    collect(root, "", texts);
    std::vector<webhook::Pointer> pointers;
    std::vector<webhook::Pointer*> joined;
    for (const std::string& text : texts) pointers.push_back(webhook::Pointer::parse(text).value());
    const std::vector<webhook::Pointer> alone = pointers;
    for (webhook::Pointer& pointer : pointers) joined.push_back(&pointer);
    webhook::ask_together(joined);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const Found found = at(root, texts[i]);
        agrees(view, pointers[i], found);
        has(view.type(alone[i]), found, texts[i]);
        require(view.written(alone[i]) == view.written(pointers[i]), "alone it has the same place", texts[i]);
    }
}

}  // namespace sluice::fuzz
