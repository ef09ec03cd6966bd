#include "poller/list/query.hpp"

#include "common/http/percent_encoded.hpp"

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

}  // namespace sluice::poller
