#pragma once

#include <memory>
#include <vector>

#include <fcntl.h>

#include <nlohmann/json.hpp>

#include "common/trace/tracer.hpp"

namespace sluice::trace {

/// A tracer whose spans a test looks at: once, when all were told.
class Told {
public:
    explicit Told(double ratio)
        : tracer{Sampler{ratio},
                 std::make_unique<Exporter>(Exporter::Settings{.service = "unit", .gather = Milliseconds{0}},
                                            std::make_unique<Keeper>(bodies_), log_, metrics_)} {}

    /// Ends the tracer. In the order in which they were told.
    [[nodiscard]] std::vector<nlohmann::json> spans() {
        tracer = {};
        std::vector<nlohmann::json> found;
        for (const auto& body : bodies_)
            for (const auto& span : body["resourceSpans"][0]["scopeSpans"][0]["spans"]) found.push_back(span);
        return found;
    }

    /// The value of an attribute as text; empty where it is absent.
    [[nodiscard]] static std::string value_of(const nlohmann::json& span, std::string_view key) {
        for (const auto& attribute : span["attributes"])
            if (attribute["key"] == key) return attribute["value"].front().get<std::string>();
        return {};
    }

private:
    class Keeper final : public Collector {
    public:
        explicit Keeper(std::vector<nlohmann::json>& bodies) : bodies_{bodies} {}
        Sent send(std::string_view body, Milliseconds) override {
            bodies_.push_back(nlohmann::json::parse(body));
            return {};
        }
        void hurry(Milliseconds) override {}

    private:
        std::vector<nlohmann::json>& bodies_;  // the exporter's thread writes, a test reads when that is over
    };

    std::vector<nlohmann::json> bodies_;
    Metrics metrics_;
    Log log_{{.program = "unit", .descriptor = ::open("/dev/null", O_WRONLY | O_CLOEXEC)}};

public:
    Tracer tracer;  // last: it uses all of them
};

}  // namespace sluice::trace
