#include "consumer/record/record.hpp"

namespace sluice::consumer {

ObjectKey::ObjectKey(const Record& record) : key_{record.key} {
    if (!key_.empty()) return;
    own_ = std::string{'\0'} + std::to_string(record.at.partition) + '/' + std::to_string(record.at.offset);
}

}  // namespace sluice::consumer
