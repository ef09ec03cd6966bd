#pragma once

#include <string>

#include "common/telemetry/metrics.hpp"

namespace sluice::config {

/// Exports from when and until when the first certificate of a PEM file is valid, for the alerts before its
/// end: `sluice_certificate_not_before_seconds` and `…_not_after_seconds`. `use`: listener, kafka, redis or
/// mysql. Without a file, or where it cannot be read, nothing changes.
void export_certificate(Metrics& metrics, const std::string& use, const std::string& pem_file);

/// The same before each exposition, for a certificate that is read again at each connect.
void follow_certificate(Metrics& metrics, const std::string& use, const std::string& pem_file);

}  // namespace sluice::config
