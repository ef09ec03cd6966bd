// What a caller of sluice-command names a command by. The input is a field Idempotency-Key, and a path.
// Promises, for any bytes:
//   - a field is a key or is refused with a sentence; the key, written as RFC 8941 has it, is read as itself;
//   - the path that names a key is read as that command and key again, so that a Location leads back to it;
//   - what a path names can be named: it has a name, and its key, if any, is one.
#include <string>

#include "command/http/key_field.hpp"
#include "command/http/target.hpp"
#include "tests/fuzz/support/input.hpp"
#include "tests/fuzz/support/require.hpp"

namespace sluice::fuzz {
namespace {

std::string written(std::string_view key) {
    std::string field = "\"";
    for (const char c : key) {
        if (c == '"' || c == '\\') field += '\\';
        field += c;
    }
    return field + '"';
}

void lead_back(const std::string& name, const std::string& key) {
    const std::string path = command::path_of({.command = name, .caller = {}, .key = key});
    const command::Target wanted{name, key};
    require(command::read_target(path) == wanted, "the path of a key leads to the key", path);
}

void judge_field(std::string_view field) {
    const auto key = command::read_key_field(field);
    if (!key) return require(!key.error().empty(), "what is refused says why", field);
    require(command::is_key(*key), "what is read is a key", *key);
    require(command::read_key_field(written(*key)) == *key, "a key that is written is read as itself", *key);
    lead_back("charge", *key);
}

void judge_path(std::string_view path) {
    const auto target = command::read_target(path);
    if (!target) return;
    require(!target->name.empty() && !target->name.contains('/'), "a target has a name", path);
    require(path.starts_with("/v1/commands/" + target->name), "a name stands in the path as it is", path);
    if (!target->key) return;
    require(command::is_key(*target->key), "what a path names is a key", path);
    lead_back(target->name, *target->key);
}

}  // namespace
}  // namespace sluice::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view input = sluice::fuzz::text_of(data, size);
    sluice::fuzz::judge_field(input);
    sluice::fuzz::judge_path(input);
    return 0;
}
