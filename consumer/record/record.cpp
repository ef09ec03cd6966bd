#include "consumer/record/record.hpp"

namespace sluice::consumer {

std::size_t Record::bytes() const noexcept {
    std::size_t bytes = key.size() + value.size() + 2048;
    for (const record::HeaderView& header : headers) bytes += header.name.size() + header.value.size();
    return bytes;
}

ObjectKey::ObjectKey(const Record& record) : key_{record.key} {
    if (!key_.empty()) return;
    own_ = std::string{'\0'} + std::to_string(record.at.partition) + '/' + std::to_string(record.at.offset);
}

}  // namespace sluice::consumer
