#include "common/trace/tracer.hpp"

#include <charconv>

#include "common/trace/http_collector.hpp"

namespace sluice::trace {
namespace {

constexpr std::uint64_t all_traces = std::uint64_t{1} << 56;
constexpr std::size_t random_digits = 14;  // 56 bits

}  // namespace

Sampler::Sampler(double ratio) noexcept
    : threshold_{all_traces - static_cast<std::uint64_t>(ratio * static_cast<double>(all_traces))} {}

bool Sampler::keeps(std::string_view trace_id) const noexcept {
    if (trace_id.size() < random_digits) return false;
    const std::string_view digits = trace_id.substr(trace_id.size() - random_digits);
    std::uint64_t random = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), random, 16);
    return read.ec == std::errc{} && random >= threshold_;
}

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
