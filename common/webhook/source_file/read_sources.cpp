#include <algorithm>
#include <utility>

#include "common/config/section.hpp"
#include "common/webhook/recipe/program.hpp"
#include "common/webhook/recipe/source.hpp"
#include "common/webhook/recipe_file/names.hpp"
#include "common/webhook/recipe_file/read_recipe.hpp"
#include "common/webhook/recipe_file/recipe_safety.hpp"
#include "common/webhook/recipe_file/recipe_set.hpp"
#include "common/webhook/source_file/compile.hpp"
#include "common/webhook/source_file/read_keys.hpp"
#include "common/webhook/source_file/read_settings.hpp"
#include "common/webhook/source_file/read_source.hpp"
#include "common/webhook/source_file/source_rules.hpp"

namespace sluice::webhook {

namespace {

using config::Section;

constexpr std::size_t most_sources = 1000;
constexpr std::int64_t standard_body = 512 * 1024;
constexpr std::int64_t least_body = 1024;
constexpr std::int64_t most_body = 8 * 1024 * 1024;  // Kafka's topic must take it, headers included

/// Letters, digits and - . _ ~ / only, and nothing that a proxy might rewrite on the way.
bool is_path(std::string_view path) {
    const auto is_plain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("-._~/").contains(c);
    };
    const auto holds = [&](std::string_view part) {
        return path.contains(part) || path.ends_with(part.substr(0, part.size() - 1));
    };
    return path.starts_with('/') && path.size() <= 255 && std::ranges::all_of(path, is_plain) &&
           !path.contains("//") && !holds("/./") && !holds("/../");
}

class SourceReader {
public:
    SourceReader(const RecipeSet& recipes, bool resolve, config::Problems& problems)
        : recipes_(recipes), resolve_(resolve), problems_(problems) {}

    /// Nothing when anything about it is wrong.
    [[nodiscard]] std::shared_ptr<const Source> read(Section section) {
        const std::size_t before = problems_.count();
        Source source;
        source.polled = is_polled(section);
        read_identity(section, source);
        read_limits(section, source);
        if (const Recipe* recipe = recipe_of(section, source)) apply(section, *recipe, source);
        {
            const Section closing = std::move(section);
        }  // reports unknown keys
        if (problems_.count() != before || !source.program) return nullptr;
        return std::make_shared<const Source>(std::move(source));
    }

private:
    static void read_identity(Section& section, Source& source) {
        source.name = section.required_text("name");
        if (!source.name.empty() && !is_name(source.name)) {
            section.problem_at("name", "a source's name must have 1 to 63 characters of a-z, 0-9 and -");
        }
        source.principal = read_principal(section, source.name);
        source.path = source.polled ? "poll:" + source.name : read_path(section, source.name);
        if (source.polled) refuse_what_requests_need(section, source.name);
    }

    static std::string read_path(Section& section, const std::string& name) {
        std::string path = section.text("path", "/v1/webhooks/" + name);
        if (!is_path(path)) {
            section.problem_at("path",
                               "path must begin with /, have only letters, digits and - . _ ~ /, no empty or "
                               "dotted segments, and at most 255 bytes");
        }
        return path;
    }

    /// What is in it is read by who polls.
    static bool is_polled(Section& section) {
        const auto poll = section.value("poll");
        if (poll && !poll->is_mapping())
            poll->problem("poll must be a mapping, as in `poll: {key: {file: PATH}}`");
        return poll.has_value();
    }

    static void refuse_what_requests_need(Section& section, const std::string& name) {
        for (const std::string key :
             {"path", "keys", "tolerance", "chunked", "answer_within", "allow", "limits"}) {
            if (!section.has(key)) continue;
            section.problem_at(key, "source \"" + name + "\" has poll, so it takes no " + key +
                                        ": no request comes to it. Webhooks of its account come to a source "
                                        "of their own, with the same recipe and principal");
        }
    }

    /// No default value: a part of every key, it must not change with a name.
    static std::string read_principal(Section& section, const std::string& name) {
        if (!section.has("principal")) {
            section.problem(
                "principal is missing: the account at the provider, as in `principal: acct_main`. It is part "
                "of the keys of events. If this source ran without it before, `principal: " +
                name + "` keeps the keys of its events");
            return {};
        }
        std::string principal = section.required_text("principal");
        if (!is_label(principal))
            section.problem_at("principal", "principal must have 1 to 128 letters, digits and . _ : -");
        return principal;
    }

    static void read_limits(Section& section, Source& source) {
        source.max_body =
            static_cast<std::size_t>(section.size("max_body", standard_body, least_body, most_body));
        source.allow_chunked = !source.polled && section.boolean("chunked", false);
        if (source.polled) return;
        source.allow = read_allow(section);
        auto limits = section.section("limits");
        source.client_limit = metering::read_rate(limits, "client");
        source.source_limit = metering::read_rate(limits, "source");
        source.account_limit = read_account_limit(limits, "account");
        const auto account = limits.value("account");
        if (account && account->is_mapping() && !account->entry("by"))
            limits.problem_at(
                "account",
                "account.by is missing: the fields of the body that name an account, as in by: [/account]");
    }

    static std::vector<network::Block> read_allow(Section& section) {
        std::vector<network::Block> allow;
        const auto texts = section.texts("allow");
        for (const std::string& text : texts) {
            if (const auto block = network::Block::parse(text))
                allow.push_back(*block);
            else
                section.problem_at(
                    "allow",
                    "allow must list addresses or networks such as 203.0.113.0/24, not \"" + text + "\"");
        }
        if (section.has("allow") && texts.empty())
            section.problem_at("allow",
                               "allow must list at least one network; leave it out to take all clients");
        return allow;
    }

    const Recipe* recipe_of(Section& section, const Source& source) const {
        const std::string name = section.required_text("recipe");
        const Recipe* recipe = recipes_.find(name);
        if (recipe == nullptr) leave_recipe_keys_unread(section);
        if (recipe == nullptr && !name.empty() && !recipes_.was_refused(name)) {
            section.problem_at("recipe", "source \"" + source.name + "\": there is no recipe \"" + name +
                                             "\"; the recipes are: " + recipes_.names());
        }
        return recipe;
    }

    static void leave_recipe_keys_unread(Section& section) {
        for (const std::string_view key : {"keys", "tolerance", "with", "order_by", "answer_within"}) {
            section.leave_unread(key);
        }
    }

    void apply(Section& section, const Recipe& recipe, Source& source) {
        source.recipe = recipe.name;
        source.provider = recipe.provider;
        source.answers = recipe.answers;
        if (section.has("limits") && !source.answers.can_be_limited)
            section.problem_at("limits",
                               "source \"" + source.name +
                                   "\" can have no limits: its provider does not send again what is "
                                   "refused, so each refused request would be lost");
        ProgramSettings settings;
        settings.with = read_settings(section.section("with"), recipe, resolve_, problems_);
        if (source.polled)
            source.trust = Trust::api;
        else
            apply_to_requests(section, recipe, source, settings);
        if (section.has("order_by")) settings.order_by = own_order_of(section, recipe);
        source.program = compile(recipe, std::move(settings));
        source.has_dear_checks =
            source.program->certificate || std::ranges::any_of(source.program->keys, is_public);
    }

    /// None of it is a polled source's: who asks a list gets events one by one, and none of them is signed.
    void apply_to_requests(Section& section, const Recipe& recipe, Source& source,
                           ProgramSettings& settings) {
        source.trust = recipe.trust;
        source.signed_fields = signed_fields(recipe);
        source.delivery_header = recipe.extraction.delivery;
        source.has_items = recipe.extraction.items.has_value();
        if (source.account_limit) check_account(section, recipe);
        source.answer_within =
            section.duration("answer_within", recipe.answer_within, Milliseconds{100}, Milliseconds{30'000});
        settings.keys = read_keys(section, recipe, resolve_, problems_);
        settings.window = window_of(section, recipe.timestamp);
    }

    static void check_account(Section& section, const Recipe& recipe) {
        const std::string is_not_for = "limits.account is not for recipe " + recipe.name + ": ";
        if (recipe.extraction.items)
            section.problem_at(
                "limits", is_not_for + "its deliveries have several events, each of an account of its own");
        if (!covers_body(recipe.trust))
            section.problem_at("limits", is_not_for +
                                             "its signature does not cover the body, so anyone who has one "
                                             "delivery could use up another account's limit");
    }

    static std::vector<ObjectField> own_order_of(Section& section, const Recipe& recipe) {
        auto order_by = read_order_by(section, "order_by");
        if (const auto place = uncovered_place(recipe, order_by))
            section.problem_at("order_by", *place +
                                               " is not covered by the signature: anyone who has one "
                                               "delivery could pass it off as another object's");
        return order_by;
    }

    /// `tolerance` sets both ends; `none` takes a signature of any age.
    static std::optional<TimeWindow> window_of(Section& section, const TimestampRule& rule) {
        const auto value = section.value("tolerance");
        if (!value) return rule.window;
        if (rule.in == TimestampRule::In::none)
            value->problem("tolerance needs a timestamp, and the recipe has none");
        if (value->is_scalar() && value->scalar() == "none") return std::nullopt;
        const Milliseconds length =
            section.duration("tolerance", Milliseconds{1'000}, Milliseconds{1'000}, Milliseconds{3'600'000});
        const auto seconds = std::chrono::floor<std::chrono::seconds>(length);
        if (seconds != length) section.problem_at("tolerance", "tolerance must be whole seconds");
        return TimeWindow{seconds, seconds, !rule.window || rule.window->ends_are_inside};
    }

    const RecipeSet& recipes_;
    bool resolve_;
    config::Problems& problems_;
};

SourceSet read(const config::Document& document, bool resolve, config::Problems& problems) {
    const RecipeSet recipes = RecipeSet::read(document);
    SourceReader reader(recipes, resolve, problems);
    std::vector<PlacedSource> placed;
    const auto list = document.value("sources");
    if (list && !list->is_list()) list->problem("sources must be a list of mappings");
    const auto items = list ? list->items() : std::vector<config::Value>{};
    if (items.size() > most_sources) {
        list->problem("at most " + std::to_string(most_sources) +
                      " sources are allowed: each is compared with all others");
        return {};
    }
    for (std::size_t i = 0; i < items.size(); ++i) {
        auto source = reader.read(Section(items[i], "sources[" + std::to_string(i) + "]"));
        if (source) placed.push_back({std::move(source), items[i].place()});
    }
    if (items.empty())
        problems.add({document.file(), 0, 0}, "sources is empty: no webhook could be received");
    check_together(placed, problems);
    SourceSet set;
    for (PlacedSource& one : placed) set.push_back(std::move(one.source));
    return set;
}

}  // namespace

std::shared_ptr<const Source> read_source(config::Section section, const RecipeSet& recipes,
                                          config::Problems& problems) {
    return SourceReader(recipes, true, problems).read(std::move(section));
}

SourceSet read_sources(const config::Document& document, config::Problems& problems) {
    return read(document, true, problems);
}

SourceSet read_sources_without_keys(const config::Document& document, config::Problems& problems) {
    return read(document, false, problems);
}

}  // namespace sluice::webhook
