#include <algorithm>
#include <ranges>

#include "common/config/settings/host_port.hpp"
#include "common/joined.hpp"
#include "poller/config/poll_settings.hpp"

namespace sluice::poller {
namespace {

using namespace std::chrono_literals;

struct Entry {
    std::string source;
    config::Value poll;
};

/// Another Section over the whole entry would report the keys that it does not read.
std::vector<Entry> entries_of(const config::Document& document) {
    std::vector<Entry> found;
    const auto list = document.value("sources");
    if (!list) return found;
    for (const config::Value& item : list->items()) {
        std::string name;
        std::optional<config::Value> poll;
        for (const auto& [key, value] : item.entries()) {
            if (key.scalar() == "name") name = value.scalar();
            if (key.scalar() == "poll") poll = value;
        }
        if (poll) found.push_back({std::move(name), *poll});
    }
    return found;
}

std::string names_of_lists() {
    std::vector<std::string> names;
    for (const EventList* list : all_lists())
        if (list->facts().name == main_list) names.emplace_back(list->facts().recipe);
    return joined(names, ", ");
}

std::string names_of_lists(std::string_view recipe) {
    std::vector<std::string> names;
    for (const EventList* list : all_lists())
        if (list->facts().recipe == recipe) names.emplace_back(list->facts().name);
    return joined(names, ", ");
}

/// scheme://host[:port], without a path.
bool is_origin(std::string_view url) {
    for (const std::string_view scheme : {"https://", "http://"}) {
        if (url.starts_with(scheme))
            return url.size() > scheme.size() &&
                   url.find_first_of("/?#@ ", scheme.size()) == std::string_view::npos;
    }
    return false;
}

Api read_api(config::Section& poll, const EventList& list) {
    Api api;
    api.url = poll.text("url", std::string{list.facts().url});
    if (!is_origin(api.url))
        poll.problem_at(
            "url", "poll.url must be https:// and a host without a path, such as https://api.stripe.com");
    api.allowed = config::read_blocks(poll, "allow");
    if (api.url.starts_with("http://") && api.allowed.empty())
        poll.problem_at("url",
                        "the key would leave unencrypted: use https://, or name under allow the "
                        "network of a test server that may be asked over http://");
    api.ca_file = poll.text("ca_file", "");
    api.proxy = poll.text("proxy", "");
    if (!api.proxy.empty() && !is_origin(api.proxy))
        poll.problem_at("proxy",
                        "poll.proxy must be http://, a host and a port, such as "
                        "http://proxy.internal:3128");
    if (!api.proxy.empty() && api.url.starts_with("http://"))
        poll.problem_at("proxy", "the key would go through the proxy unencrypted: use https:// for url");
    api.timeout = poll.duration("timeout", api.timeout, 1s, 2min);
    api.most_bytes = static_cast<std::size_t>(
        poll.size("most_page", static_cast<std::int64_t>(api.most_bytes), 1 << 20, 256 << 20));
    return api;
}

/// Where it is not known, the first one, so that all else is judged.
void read_list(config::Section& poll, PollSettings& settings) {
    const std::string& recipe = settings.source->recipe;
    const EventList* named = list_of(recipe, poll.text("list", std::string{main_list}));
    if (named == nullptr)
        poll.problem_at(
            "list", "poll.list must be one of the lists of recipe " + recipe + ": " + names_of_lists(recipe));
    else
        settings.list = named;
}

void read_key(config::Section& poll, PollSettings& settings, config::Problems& problems) {
    const auto reference = poll.secret("key");
    if (!reference) {
        if (!poll.has("key"))
            poll.problem(
                "poll.key is missing: the provider's API key that may read events, as in `key: "
                "{file: /run/secrets/stripe-api/key}`");
        return;
    }
    settings.key = config::Credential{*reference, problems};
    if (settings.key.now().bytes().starts_with("whsec_"))
        poll.problem_at(
            "key", "poll.key is the signing secret of a webhook (whsec_…): a list is asked with an API key");
    settings.key_name = reference->text();
}

/// `now`, or how long ago: no longer than the provider lists events, nor than consumers take them.
void read_since(config::Section& poll, PollSettings& settings, std::chrono::days inbox_keep) {
    if (poll.text("since", "now") == "now") return;
    settings.since = poll.duration("since", 1h, 1min, settings.list->facts().retention);
    if (*settings.since > inbox_keep)
        poll.problem_at("since",
                        "poll.since goes back beyond inbox.keep: consumers refuse events that are older "
                        "(too_old). Shorten since, or keep the inbox longer");
}

void read_types(config::Section& poll, PollSettings& settings) {
    settings.wanted.types = poll.texts("types");
    for (const auto& type : settings.wanted.types) {
        const auto star = type.find('*');
        if (type.empty() || (star != std::string::npos && star + 1 != type.size()))
            poll.problem_at("types", "'" + type +
                                         "' is neither a type nor the beginning of types with a * "
                                         "at its end, such as invoice.*");
        else if (star == std::string::npos && !settings.list->has_type(type))
            poll.problem_at("types", "'" + type + "' is no type of list " +
                                         std::string{settings.list->facts().name} +
                                         ": the provider would list nothing");
    }
}

void read_reconcile(config::Section& poll, PollSettings& settings) {
    if (!poll.has("reconcile")) return;
    config::Section section = poll.section("reconcile");
    ReconcileSettings read;
    read.every = section.duration("every", read.every, 1h, 168h);
    read.window = section.duration("window", read.window, 3h, settings.list->facts().retention);
    read.applies = section.boolean("apply", read.applies);
    if (read.window < 3 * read.every)
        section.problem_at(
            "window", "poll.reconcile.window must be at least three times every, so that windows overlap");
    settings.reconcile = read;
}

PollSettings read_one(config::Section poll, std::shared_ptr<const webhook::Source> source,
                      std::chrono::days inbox_keep, config::Problems& problems) {
    PollSettings settings;
    settings.source = std::move(source);
    settings.list = list_of(settings.source->recipe);
    if (settings.list == nullptr) {
        for (const std::string_view key :
             {"list", "key", "since", "interval", "overlap", "types", "budget", "url", "allow", "ca_file",
              "proxy", "timeout", "most_page", "reconcile"})
            poll.leave_unread(key);
        poll.problem("events of recipe " + settings.source->recipe + " cannot be polled: lists exist for " +
                     names_of_lists());
        return settings;
    }
    read_list(poll, settings);
    read_key(poll, settings, problems);
    read_since(poll, settings, inbox_keep);
    settings.interval = poll.duration("interval", settings.interval, 30s, 1h);
    settings.overlap =
        std::chrono::floor<std::chrono::seconds>(poll.duration("overlap", settings.overlap, 1min, 1h));
    read_types(poll, settings);
    read_reconcile(poll, settings);
    settings.budget = static_cast<double>(poll.integer("budget", 10, 1, 100));
    settings.api = read_api(poll, *settings.list);
    return settings;
}

/// Two walks of one list would publish everything twice, and mean nothing by it.
void check_accounts(const std::vector<Entry>& entries, const std::vector<PollSettings>& polls) {
    for (std::size_t i = 0; i < polls.size(); ++i) {
        for (std::size_t before = 0; before < i; ++before) {
            const auto& ours = *polls[i].source;
            const auto& theirs = *polls[before].source;
            const bool is_one_account =
                ours.provider == theirs.provider && ours.principal == theirs.principal;
            if (is_one_account && polls[i].list == polls[before].list)
                entries[i].poll.problem("source \"" + ours.name + "\" polls the list of source \"" +
                                        theirs.name + "\": one list is walked once");
            const bool share = !polls[i].key_name.empty() && polls[i].key_name == polls[before].key_name;
            if (share && polls[i].budget != polls[before].budget)
                entries[i].poll.problem("sources \"" + theirs.name + "\" and \"" + ours.name +
                                        "\" have one key and so one budget: give both the same");
        }
    }
}

}  // namespace

std::vector<PollSettings> read_polls(const config::Document& document, const webhook::SourceSet& sources,
                                     std::chrono::days inbox_keep, config::Problems& problems) {
    std::vector<PollSettings> polls;
    std::vector<Entry> read;
    for (const Entry& entry : entries_of(document)) {
        const auto source = std::ranges::find_if(
            sources, [&](const auto& one) { return one->name == entry.source && one->polled; });
        if (source == sources.end()) continue;  // what is wrong with it was said
        polls.push_back(read_one(config::Section{entry.poll, "poll"}, *source, inbox_keep, problems));
        read.push_back(entry);
    }
    check_accounts(read, polls);
    return polls;
}

}  // namespace sluice::poller
