#include "poller/list/query.hpp"

#include "common/http/percent_encoded.hpp"
#include "common/time_text.hpp"

namespace sluice::poller {

Query& Query::add(std::string_view name, std::string_view value) {
    target_ += before_;
    target_ += http::percent_encoded(name);
    target_ += '=';
    target_ += http::percent_encoded(value);
    before_ = '&';
    return *this;
}

Query& Query::add(std::string_view name, std::int64_t value) {
    return add(name, std::to_string(value));
}

std::string milliseconds_text(WallTime time) {
    auto text = to_rfc3339(std::chrono::ceil<Milliseconds>(time));
    return text.erase(text.size() - 4, 3);  // of 2026-11-28T00:00:00.123000Z
}

}  // namespace sluice::poller
