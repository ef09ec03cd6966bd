#include "ctl/approve/proposal.hpp"

#include <algorithm>

#include "common/crypto/encoding.hpp"
#include "consumer/command/command_record.hpp"
#include "ctl/operate/run_id.hpp"

namespace sluice::ctl {
namespace {

constexpr std::string_view format_name = "sluice proposal 1";
constexpr std::size_t largest_file = 8 * 1024 * 1024;
constexpr std::size_t longest_signature = 256;

std::string text_in(const Json& json, const char* key) {
    if (!json.is_object()) return {};
    const auto found = json.find(key);
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string{};
}

std::expected<Proposal::Entry, std::string> entry_from(const Json& json) {
    auto value = crypto::from_base64(text_in(json, "value"));
    auto signature = text_in(json, "signature");
    if (!value || signature.empty() || signature.size() > longest_signature)
        return std::unexpected{"one of its commands has no value or no signature"};
    auto command = command::decode(*value);
    if (!command)
        return std::unexpected{"one of its commands cannot be read: " +
                               std::string{command::name_of(command.error())}};
    return Proposal::Entry{std::move(*value), std::move(signature), std::move(*command)};
}

/// What is shown of the first one goes for all.
bool belongs_to(const command::Command& command, const Proposal& proposal) {
    const auto& first = proposal.entries.front().command;
    return command.run == proposal.run && command.action == first.action &&
           command.operator_name == first.operator_name && command.reason == first.reason &&
           command.unverified == first.unverified && command.effect == first.effect;
}

std::expected<Proposal, std::string> with_entries(Proposal proposal, const Json& commands) {
    for (const Json& json : commands) {
        auto entry = entry_from(json);
        if (!entry) return std::unexpected{entry.error()};
        proposal.entries.push_back(std::move(*entry));
    }
    const bool is_one_order = std::ranges::all_of(
        proposal.entries, [&](const auto& entry) { return belongs_to(entry.command, proposal); });
    if (!is_one_order) return std::unexpected{"its commands differ in run, operator or reason"};
    return proposal;
}

}  // namespace

Json to_json(const Proposal& proposal) {
    Json commands = Json::array();
    for (const auto& entry : proposal.entries)
        commands.push_back({{"value", crypto::to_base64(entry.value)}, {"signature", entry.signature}});
    return {{"format", std::string{format_name}},
            {"run", uuid_text(proposal.run)},
            {"topic_id", proposal.topic_id},
            {"group", proposal.group},
            {"commands", std::move(commands)}};
}

std::expected<Proposal, std::string> proposal_from(std::string_view text) {
    if (text.size() > largest_file) return std::unexpected{"it is larger than 8 MiB"};
    const auto json = parse_json(text);
    if (!json || text_in(*json, "format") != format_name)
        return std::unexpected{"`sluicectl dlq … --propose FILE` did not write it"};
    const auto run = uuid_from(text_in(*json, "run"));
    const auto commands = json->find("commands");
    if (!run || commands == json->end() || !commands->is_array() || commands->empty())
        return std::unexpected{"it has no run or no commands"};
    if (commands->size() > most_proposed) return std::unexpected{"it has more than 500 commands"};
    Proposal proposal{
        .run = *run, .topic_id = text_in(*json, "topic_id"), .group = text_in(*json, "group"), .entries = {}};
    return with_entries(std::move(proposal), *commands);
}

}  // namespace sluice::ctl
