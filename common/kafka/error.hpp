#pragma once

#include <system_error>

#include <librdkafka/rdkafka.h>

namespace sluice::kafka {

/// librdkafka's codes as std::error_code.
[[nodiscard]] const std::error_category& category() noexcept;
[[nodiscard]] std::error_code make_error(rd_kafka_resp_err_t code) noexcept;

}  // namespace sluice::kafka
