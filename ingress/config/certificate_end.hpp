#pragma once

#include <string>

#include "common/telemetry/metrics.hpp"

namespace sluice::ingress {

/// Exports until when the first certificate of a PEM file is valid, for the alert two weeks before. A file
/// that cannot be read exports nothing: the listener that serves with it has refused it already.
void export_certificate_end(const std::string& cert_file, Metrics& metrics);

}  // namespace sluice::ingress
