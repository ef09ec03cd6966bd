#include "common/error.hpp"

#include <array>
#include <string>
#include <string_view>

namespace sluice {
namespace {

struct Entry {
    errc code;
    failure what_now;
    std::string_view text;
};

// The one table from what happened to what now, for errors of our own.
constexpr std::array entries{
    Entry{errc::timed_out, failure::retry, "our deadline passed"},
    Entry{errc::stopped, failure::retry, "shutting down"},
    Entry{errc::queue_full, failure::retry, "a bounded queue has no room"},
    Entry{errc::unavailable, failure::retry, "a dependency is known to be down"},
    Entry{errc::undecodable, failure::park, "the record lacks what an event must carry"},
    Entry{errc::unreadable_body, failure::park, "the body is authentic but cannot be read"},
    Entry{errc::missing_pointer, failure::park, "a JSON pointer names nothing"},
    Entry{errc::wrong_type, failure::park, "a JSON value has another type than asked for"},
    Entry{errc::out_of_range, failure::park, "a number is outside the range of int64"},
    Entry{errc::duplicate_key, failure::park, "an object has a key twice"},
    Entry{errc::unlisted_row_count, failure::park, "a statement matched an unlisted number of rows"},
    Entry{errc::conflicting_content, failure::park, "the event id is known with other content"},
    Entry{errc::injected, failure::retry, "a failpoint said so"},
};

const Entry* entry_of(int code) noexcept {
    for (const auto& entry : entries) {
        if (static_cast<int>(entry.code) == code) return &entry;
    }
    return nullptr;
}

class SluiceCategory final : public std::error_category {
public:
    [[nodiscard]] const char* name() const noexcept override { return "sluice"; }

    [[nodiscard]] std::string message(int code) const override {
        const auto* entry = entry_of(code);
        return entry == nullptr ? "unknown error " + std::to_string(code) : std::string{entry->text};
    }

    [[nodiscard]] std::error_condition default_error_condition(int code) const noexcept override {
        const auto* entry = entry_of(code);
        return entry == nullptr ? std::error_condition{code, *this} : make_error_condition(entry->what_now);
    }
};

class FailureCategory final : public std::error_category {
public:
    [[nodiscard]] const char* name() const noexcept override { return "failure"; }

    [[nodiscard]] std::string message(int condition) const override {
        switch (static_cast<failure>(condition)) {
            case failure::reject:
                return "reject";
            case failure::retry:
                return "retry";
            case failure::park:
                return "park";
        }
        return "unknown failure " + std::to_string(condition);
    }
};

}  // namespace

const std::error_category& sluice_category() noexcept {
    static const SluiceCategory category;
    return category;
}

const std::error_category& failure_category() noexcept {
    static const FailureCategory category;
    return category;
}

std::error_code make_error_code(errc e) noexcept {
    return {static_cast<int>(e), sluice_category()};
}

std::error_condition make_error_condition(failure f) noexcept {
    return {static_cast<int>(f), failure_category()};
}

}  // namespace sluice
