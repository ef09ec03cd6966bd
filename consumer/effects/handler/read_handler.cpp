#include "consumer/effects/handler/read_handler.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "common/config/nearest_key.hpp"
#include "common/joined.hpp"

namespace sluice::effects {
namespace {

/// What `as` gives such a value.
std::string_view as_for(ParameterType type) {
    constexpr std::array<std::string_view, 5> words{"text", "int64 or minor", "boolean", "time",
                                                    "hex or base64"};
    return words[static_cast<std::size_t>(type)];
}

/// Reads one effect's call.
class Reader {
public:
    Reader(config::Section& section, NameScope& names, const Handler& handler)
        : section_{section},
          names_{names},
          handler_{handler},
          who_{"handler '" + std::string{handler.name} + "'"} {}

    HandlerCall call() {
        HandlerCall call{.handler = &handler_, .place = section_.value("handler")->place()};
        for (const Need& need : handler_.needs)
            if (auto operand = operand_of(need)) call.needs.push_back(std::move(*operand));
        for (std::size_t i = 0; i < handler_.statements.size(); ++i) {
            auto statement = declared_statement(handler_.statements[i]);
            if (statement)
                call.statements.push_back(std::move(*statement));
            else
                problem(who_ + ", statement " + std::to_string(i + 1) + ": " + statement.error());
        }
        return call;
    }

    void check_body(const When& when, const webhook::SourceSet& sources) const {
        if (!handler_.reads_body || when.trusts("fields")) return;
        for (const auto& source : sources) {
            if (source->signed_fields.empty() || !when.is_for(*source)) continue;
            problem(who_ + " reads the whole body, of which source '" + source->name + "' signs only " +
                    joined(source->signed_fields, ", ") +
                    ": to let the effect act on other fields too, set trust: fields under when");
        }
    }

private:
    void problem(const std::string& sentence) const { section_.problem_at("handler", sentence); }

    std::optional<Operand> operand_of(const Need& need) {
        const std::string noun{noun_of(need.type)};
        const std::string name{need.name};
        auto operand = operand_named(name, names_);
        if (!operand) {
            problem(who_ + " needs :" + name + ", " + noun + ": " + names_.unknown(name));
            return std::nullopt;
        }
        const auto type = type_of(*operand, names_.let()).value();
        const std::string its = ":" + name + " ";
        if (type != need.type)
            problem_of(*operand, its + "is " + std::string{noun_of(type)} + ", and " + who_ + " needs " +
                                     noun + ": use as: " + std::string{as_for(need.type)});
        else if (!need.may_be_null && may_be_null(*operand, names_.let()))
            problem_of(*operand, its + "may be NULL, and " + who_ + " needs a value: use no optional");
        return operand;
    }

    /// At its line of `let`, where it has one.
    void problem_of(const Operand& operand, const std::string& sentence) const {
        const bool is_of_let = operand.kind == Operand::Kind::parameter;
        const Parameter* its = is_of_let ? &names_.let()[operand.parameter] : nullptr;
        if (its == nullptr || its->place.line == 0) return problem(sentence);
        if (!its->from.empty()) section_.value("handler")->problems().add(its->place, sentence);
    }

    config::Section& section_;
    NameScope& names_;
    const Handler& handler_;
    std::string who_;
};

}  // namespace

std::optional<HandlerCall> read_handler(config::Section& section, const When& when, NameScope& names,
                                        const webhook::SourceSet& sources, std::span<const Handler> known) {
    const std::string name = section.required_text("handler");
    if (name.empty()) return std::nullopt;
    const auto handler = std::ranges::find(known, name, &Handler::name);
    if (handler != known.end()) {
        Reader reader{section, names, *handler};
        reader.check_body(when, sources);
        return reader.call();
    }
    std::vector<std::string> registered;
    for (const Handler& one : known) registered.emplace_back(one.name);
    section.problem_at("handler", "this build has no handler '" + name +
                                      "' (they are registered in "
                                      "consumer/handlers/handlers.cpp); " +
                                      config::hint(name, registered, "it has: "));
    return std::nullopt;
}

}  // namespace sluice::effects
