#include "ctl/paypal/certificate_words.hpp"

#include <format>

#include "ctl/cli/joined.hpp"

namespace sluice::ctl {
namespace {

std::int64_t whole_days(WallTime not_after, WallTime now) {
    return std::chrono::floor<std::chrono::days>(not_after - now).count();
}

}  // namespace

std::string subject_of(const crypto::Certificates& certificates) {
    return joined(certificates.common_names(), ", ");
}

std::string why_not(const webhook::Disbelief& disbelief, const crypto::Certificates& certificates,
                    const webhook::CertificateTrust& trust) {
    if (disbelief.of != webhook::Disbelief::Of::name) return std::string{disbelief.why};
    return std::format("its name is \"{}\", not one that ends in \"{}\"", subject_of(certificates),
                       trust.name);
}

std::string days_left(std::optional<WallTime> not_after, WallTime now) {
    return not_after ? std::to_string(whole_days(*not_after, now)) : std::string{};
}

std::string second_of(std::optional<WallTime> time) {
    return time ? std::format("{:%FT%TZ}", std::chrono::floor<std::chrono::seconds>(*time)) : std::string{};
}

void add_certificate(Json& line, const std::string& subject, std::optional<WallTime> not_after,
                     WallTime now) {
    line["subject"] = subject.empty() ? Json(nullptr) : Json(subject);
    line["not_after"] = not_after ? Json(second_of(not_after)) : Json(nullptr);
    line["days_left"] = not_after ? Json(whole_days(*not_after, now)) : Json(nullptr);
}

}  // namespace sluice::ctl
