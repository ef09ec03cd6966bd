#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "common/config/settings/tracing_settings.hpp"
#include "common/telemetry/sampler.hpp"
#include "common/trace/context.hpp"
#include "common/trace/exporter.hpp"

namespace sluice::trace {

/// Which spans are reported, and to which exporter. A trace is kept from its head on when its caller says so
/// (only authentic requests count) or when its id falls under the ratio; the flag in `traceparent` passes
/// that on. A span that ended in an error or concerns a dead letter is always reported, kept trace or not.
/// Thread-safe.
class Tracer {
public:
    Tracer() = default;  ///< off: nothing is decided, nothing reported
    Tracer(Sampler sampler, std::unique_ptr<Exporter> exporter)
        : sampler_{sampler}, exporter_{std::move(exporter)} {}

    [[nodiscard]] bool is_on() const noexcept { return exporter_ != nullptr; }

    /// At the head: writes into the trace's context whether the trace is kept.
    void decide(Context& context) const noexcept;
    /// Further on: `traceparent` is well-formed.
    [[nodiscard]] bool keeps(std::string_view traceparent) const noexcept;

    /// Does nothing while it is off.
    void tell(const Span& span);

private:
    Sampler sampler_{0};
    std::unique_ptr<Exporter> exporter_;
};

/// The process's own: off without an endpoint. `clock`, `log` and `metrics` outlive it.
[[nodiscard]] Tracer tracer_of(const config::TracingSettings& settings, std::string service,
                               const Clock& clock, Log& log, Metrics& metrics);

/// The span that a well-formed traceparent names.
[[nodiscard]] SpanName name_in(std::string_view traceparent) noexcept;

}  // namespace sluice::trace
