#include "command/program/configured_commands.hpp"

#include "command/key/key_of.hpp"
#include "common/webhook/body/json_view.hpp"

namespace sluice::command {
namespace {

/// Each thread that serves requests has one: its buffers grow once.
const webhook::JsonView* read(std::string_view body) {
    thread_local webhook::JsonView view;
    return view.read(body) ? &view : nullptr;
}

std::unexpected<std::string> no_json() {
    return std::unexpected{std::string{"the body is no JSON"}};
}

}  // namespace

bool ConfiguredCommands::takes_key_from_body(std::string_view name) const {
    return !set_.find(name)->key.empty();
}

std::expected<std::string, std::string> ConfiguredCommands::key_of(std::string_view name,
                                                                   std::string_view body) const {
    const webhook::JsonView* const view = read(body);
    if (view == nullptr) return no_json();
    return command::key_of(*set_.find(name), *view);
}

std::expected<std::optional<metering::Metered>, std::string> ConfiguredCommands::account(
    std::string_view name, std::string_view caller, std::string_view body) const {
    const Definition& definition = *set_.find(name);
    if (!definition.limit) return std::nullopt;
    const webhook::JsonView* const view = read(body);
    if (view == nullptr) return no_json();
    return account_of(definition, caller, *view);
}

std::expected<crypto::Digest, std::string> ConfiguredCommands::fingerprint(std::string_view name,
                                                                           std::string_view body) const {
    const webhook::JsonView* const view = read(body);
    if (view == nullptr) return no_json();
    return fingerprint_of(*set_.find(name), body, *view);
}

}  // namespace sluice::command
