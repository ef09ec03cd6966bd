#include "common/config/certificate_gauges.hpp"

#include <chrono>

#include "common/config/whole_file.hpp"
#include "common/crypto/certificate.hpp"

namespace sluice::config {
namespace {

constexpr std::size_t most_bytes = 1 << 20;

double in_seconds(WallTime time) {
    return std::chrono::duration<double>(time.time_since_epoch()).count();
}

}  // namespace

void export_certificate(Metrics& metrics, const std::string& use, const std::string& pem_file) {
    const auto pem = pem_file.empty() ? std::nullopt : read_whole_file(pem_file, most_bytes);
    if (!pem) return;
    const auto chain = crypto::Certificates::from_pem(*pem);
    const auto begin = chain ? chain->not_before() : std::nullopt;
    const auto end = chain ? chain->not_after() : std::nullopt;
    if (!begin || !end) return;
    metrics
        .gauge("sluice_certificate_not_before_seconds",
               "From when the certificate that we show is valid, in seconds since 1970", {{"use", use}})
        .Set(in_seconds(*begin));
    metrics
        .gauge("sluice_certificate_not_after_seconds",
               "When the certificate that we show expires, in seconds since 1970", {{"use", use}})
        .Set(in_seconds(*end));
}

void follow_certificate(Metrics& metrics, const std::string& use, const std::string& pem_file) {
    metrics.before_exposition([&metrics, use, pem_file] { export_certificate(metrics, use, pem_file); });
}

}  // namespace sluice::config
