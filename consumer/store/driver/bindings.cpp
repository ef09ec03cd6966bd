#include "consumer/store/driver/values.hpp"

#include <cppconn/datatype.h>

#include "common/time_text.hpp"
#include "consumer/store/driver/row_statements.hpp"

namespace sluice::store {
namespace {

/// Sets one parameter after the other.
class Binder {
public:
    explicit Binder(sql::PreparedStatement& statement) : statement_{statement} {}

    void operator()(std::nullptr_t) { statement_.setNull(++number_, sql::DataType::SQLNULL); }
    void operator()(std::int64_t value) { statement_.setInt64(++number_, value); }
    void operator()(double value) { statement_.setDouble(++number_, value); }
    void operator()(std::string_view value) {
        scratch_->assign(value);
        set_scratch();
    }
    // Sent as text is: as long data each would be a packet of its own. Where a column takes part the servers
    // compare and store both as the column says.
    void operator()(Bytes value) { (*this)(value.bytes); }
    void operator()(std::chrono::sys_days value) {
        scratch_->clear();
        append_day(*scratch_.operator->(), value);
        set_scratch();
    }
    // The connector takes times as text alone.
    void operator()(WallTime value) {
        scratch_->clear();
        append_datetime(*scratch_.operator->(), value);
        set_scratch();
    }

private:
    void set_scratch() { statement_.setString(++number_, scratch_); }

    sql::PreparedStatement& statement_;
    unsigned int number_ = 0;
    sql::SQLString scratch_;  // its memory serves all of them
};

std::size_t size_of(const Datum& value) {
    if (const auto* bytes = std::get_if<Bytes>(&value)) return bytes->bytes.size();
    const auto* text = std::get_if<std::string_view>(&value);
    return text != nullptr ? text->size() : 0;
}

}  // namespace

Bound::Bound(sql::PreparedStatement& statement, std::span<const Datum> parameters)
    : statement_{statement}, parameters_{parameters} {
    Binder binder{statement};
    for (const auto& parameter : parameters) std::visit(binder, parameter);
}

Bound::~Bound() {
    // Each of a session's statements would keep its last bodies. clearParameters() would cost all the others.
    constexpr std::size_t kept = 16 * 1024;
    unsigned int number = 0;
    for (const auto& parameter : parameters_) {
        ++number;
        if (size_of(parameter) > kept) statement_.setNull(number, sql::DataType::SQLNULL);
    }
}

}  // namespace sluice::store
