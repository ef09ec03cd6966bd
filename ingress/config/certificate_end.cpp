#include "ingress/config/certificate_end.hpp"

#include <chrono>

#include "common/crypto/certificate.hpp"
#include "common/webhook/recipe/whole_file.hpp"

namespace sluice::ingress {
namespace {

constexpr std::size_t longest_chain = 1 << 20;

}  // namespace

void export_certificate_end(const std::string& cert_file, Metrics& metrics) {
    const auto pem = webhook::read_whole_file(cert_file, longest_chain);
    if (!pem) return;
    const auto chain = crypto::Certificates::from_pem(*pem);
    const auto end = chain ? chain->not_after() : std::nullopt;
    if (!end) return;
    metrics
        .gauge("sluice_ingress_certificate_not_after_seconds",
               "When the listener's certificate expires, in seconds since 1970")
        .Set(std::chrono::duration<double>(end->time_since_epoch()).count());
}

}  // namespace sluice::ingress
