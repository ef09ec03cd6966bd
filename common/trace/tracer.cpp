#include "common/trace/tracer.hpp"

#include "common/trace/http_collector.hpp"

namespace sluice::trace {
void Tracer::decide(Context& context) const noexcept {
    if (is_on() && sampler_.keeps(context.trace_id())) context.sample();
}

bool Tracer::keeps(std::string_view traceparent) const noexcept {
    if (!is_on() || traceparent.empty()) return false;
    return is_sampled(traceparent) || sampler_.keeps(name_in(traceparent).trace_id);
}

void Tracer::tell(const Span& span) {
    if (is_on()) exporter_->tell(span);
}

Tracer tracer_of(const config::TracingSettings& settings, std::string service, const Clock& clock, Log& log,
                 Metrics& metrics) {
    if (!settings.enabled()) return {};
    Exporter::Settings exporting{.service = std::move(service), .endpoint = settings.endpoint};
    return {Sampler{settings.ratio},
            std::make_unique<Exporter>(std::move(exporting), http_collector(settings, clock), log, metrics)};
}

SpanName name_in(std::string_view traceparent) noexcept {
    constexpr std::size_t trace_begins = 3;
    constexpr std::size_t trace_digits = 32;
    constexpr std::size_t span_begins = 36;
    constexpr std::size_t span_digits = 16;
    if (traceparent.size() < span_begins + span_digits) return {};
    return {traceparent.substr(trace_begins, trace_digits), traceparent.substr(span_begins, span_digits)};
}

}  // namespace sluice::trace
