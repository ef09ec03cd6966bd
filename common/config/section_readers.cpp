#include <algorithm>

#include "common/config/scalar_text.hpp"
#include "common/config/section.hpp"
#include "common/joined.hpp"
#include "common/time_text.hpp"

namespace sluice::config {
namespace {

std::string instead_of(const Value& value) {
    return value.is_scalar() ? ", not " + in_quotes(value.scalar()) : std::string{};
}

std::string between(const std::string& least, const std::string& most) {
    return "from " + least + " to " + most;
}

}  // namespace

std::string Section::text(std::string_view key, std::string_view fallback) {
    const auto found = value(key);
    if (!found) return std::string{fallback};
    if (found->is_scalar()) return found->scalar();
    refuse(key, "be a string");
    return std::string{fallback};
}

std::string Section::required_text(std::string_view key) {
    const auto found = value(key);
    if (found && found->is_scalar() && !found->scalar().empty()) return found->scalar();
    refuse(key, found && !found->is_scalar() ? "be a string" : "be given");
    return {};
}

std::string Section::one_of(std::string_view key, std::initializer_list<std::string_view> allowed,
                            std::string_view fallback) {
    const auto found = value(key);
    if (!found) return std::string{fallback};
    if (found->is_scalar() && std::ranges::find(allowed, found->scalar()) != allowed.end()) {
        return found->scalar();
    }
    refuse(key, "be one of " + joined(allowed, ", ") + instead_of(*found));
    return std::string{fallback};
}

bool Section::boolean(std::string_view key, bool fallback) {
    const auto found = value(key);
    if (!found) return fallback;
    if (found->scalar() == "true") return true;
    if (found->scalar() == "false") return false;
    refuse(key, "be true or false" + instead_of(*found));
    return fallback;
}

std::int64_t Section::integer(std::string_view key, std::int64_t fallback, std::int64_t least,
                              std::int64_t most) {
    const auto found = value(key);
    if (!found) return fallback;
    const auto number = integer_from_text(found->scalar());
    if (number && *number >= least && *number <= most) return *number;
    refuse(key,
           "be a whole number " + between(std::to_string(least), std::to_string(most)) + instead_of(*found));
    return fallback;
}

double Section::ratio(std::string_view key, double fallback) {
    const auto found = value(key);
    if (!found) return fallback;
    const auto number = fraction_from_text(found->scalar());
    if (number && *number <= 1) return *number;
    refuse(key, "be a number from 0 to 1, such as 0.01" + instead_of(*found));
    return fallback;
}

Milliseconds Section::duration(std::string_view key, Milliseconds fallback, Milliseconds least,
                               Milliseconds most) {
    const auto found = value(key);
    if (!found) return fallback;
    const auto duration = duration_from_text(found->scalar());
    if (duration && *duration >= least && *duration <= most) return *duration;
    refuse(key, "be a duration " + between(duration_text(least), duration_text(most)) +
                    " (units: ms, s, m, h, d)" + instead_of(*found));
    return fallback;
}

std::int64_t Section::size(std::string_view key, std::int64_t fallback, std::int64_t least,
                           std::int64_t most) {
    const auto found = value(key);
    if (!found) return fallback;
    const auto size = size_from_text(found->scalar());
    if (size && *size >= least && *size <= most) return *size;
    refuse(key, "be a number of bytes " + between(size_text(least), size_text(most)) +
                    " (units: KiB, MiB, GiB)" + instead_of(*found));
    return fallback;
}

std::optional<WallTime> Section::instant(std::string_view key) {
    const auto found = value(key);
    if (!found) return std::nullopt;
    const auto instant = from_rfc3339(found->scalar());
    if (!instant) refuse(key, "be a time such as 2026-12-01T00:00:00Z" + instead_of(*found));
    return instant;
}

std::vector<std::string> Section::texts(std::string_view key) {
    const auto found = value(key);
    if (!found) return {};
    if (!found->is_scalar() && !found->is_list()) {
        refuse(key, "be a string or a list of strings");
        return {};
    }
    return found->text_or_texts();
}

std::optional<SecretReference> Section::secret(std::string_view key) {
    const auto found = value(key);
    if (!found) return std::nullopt;
    // The value is never quoted: it may be the secret itself.
    const std::string right = "be {file: PATH} or {env: NAME}";
    if (!found->is_mapping()) {
        refuse(key, right + "; a secret does not belong in this file");
        return std::nullopt;
    }
    auto reference = section(key);
    const auto file = reference.text("file", "");
    const auto env = reference.text("env", "");
    if (file.empty() == env.empty()) {
        refuse(key, right);
        return std::nullopt;
    }
    const auto kind = env.empty() ? SecretReference::Kind::file : SecretReference::Kind::env;
    return SecretReference{kind, env.empty() ? file : env, found->place()};
}

}  // namespace sluice::config
