#pragma once

#include <memory>
#include <string>
#include <utility>

#include "common/config/settings/tracing_settings.hpp"
#include "common/trace/context.hpp"
#include "common/trace/exporter.hpp"
#include "common/trace/sampler.hpp"

namespace sluice::trace {

/// Which spans are told, and to whom. A trace is kept from its head on when its caller says so (only
/// authentic requests are asked) or when its id falls under the ratio; the flag in `traceparent` carries that
/// on. A span that ended in an error or concerns a dead letter is told whether its trace is kept or not.
/// Thread-safe.
class Tracer {
public:
    Tracer() = default;  ///< off: nothing is decided, nothing told
    Tracer(Sampler sampler, std::unique_ptr<Exporter> exporter)
        : sampler_{sampler}, exporter_{std::move(exporter)} {}

    [[nodiscard]] bool is_on() const noexcept { return exporter_ != nullptr; }

    /// At the head: whether the trace is kept is written into its context.
    void decide(Context& context) const noexcept;
    /// Further on: `traceparent` is well-formed.
    [[nodiscard]] bool keeps(std::string_view traceparent) const noexcept;

    /// Nothing while it is off.
    void tell(const Span& span);

private:
    Sampler sampler_{0};
    std::unique_ptr<Exporter> exporter_;
};

/// The process's own: off without an endpoint. `clock`, `log` and `metrics` outlive it.
[[nodiscard]] Tracer tracer_of(const config::TracingSettings& settings, std::string service,
                               const Clock& clock, Log& log, Metrics& metrics);

/// Of a well-formed traceparent.
[[nodiscard]] SpanName name_in(std::string_view traceparent) noexcept;

}  // namespace sluice::trace
