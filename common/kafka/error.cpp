#include "common/kafka/error.hpp"

#include <string>

namespace sluice::kafka {
namespace {

class Category final : public std::error_category {
public:
    [[nodiscard]] const char* name() const noexcept override { return "kafka"; }

    [[nodiscard]] std::string message(int code) const override {
        const auto kafka_code = static_cast<rd_kafka_resp_err_t>(code);
        return std::string{rd_kafka_err2name(kafka_code)} + ": " + rd_kafka_err2str(kafka_code);
    }
};

}  // namespace

const std::error_category& category() noexcept {
    static const Category only;
    return only;
}

std::error_code make_error(rd_kafka_resp_err_t code) noexcept {
    return {static_cast<int>(code), category()};
}

}  // namespace sluice::kafka
