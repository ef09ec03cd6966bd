#include "ctl/paypal/holding.hpp"

#include <algorithm>
#include <format>

#include "common/joined.hpp"
#include "common/webhook/signature/certificate_belief.hpp"
#include "ctl/cli/table.hpp"

namespace sluice::ctl {
namespace {

std::string why_not(const webhook::Disbelief& disbelief, const std::string& subject,
                    const webhook::CertificateTrust& trust) {
    if (disbelief.of != webhook::Disbelief::Of::name) return std::string{disbelief.why};
    return std::format("its name is \"{}\", not one that ends in \"{}\"", subject, trust.name);
}

/// Whole days; negative once it is over.
std::int64_t days_left(WallTime not_after, WallTime now) {
    return std::chrono::floor<std::chrono::days>(not_after - now).count();
}

std::string second_of(WallTime time) {
    return std::format("{:%FT%TZ}", std::chrono::floor<std::chrono::seconds>(time));
}

}  // namespace

Holding holding_of(std::string file, const crypto::Certificates& certificates,
                   const webhook::CertificateTrust& trust, WallTime now) {
    const auto believed = webhook::believe(certificates, trust, now);
    Holding holding{.file = std::move(file), .subject = joined(certificates.common_names(), ", ")};
    holding.not_after = believed ? believed->key.not_after : certificates.not_after();
    if (!believed) holding.why = why_not(believed.error(), holding.subject, trust);
    return holding;
}

std::vector<Holding> holdings_of(const webhook::CertificateTrust& trust,
                                 const std::vector<std::string>& unreadable, WallTime now) {
    std::vector<Holding> holdings;
    for (const auto& [digest, certificates] : trust.cache.all())
        holdings.push_back(holding_of(digest + ".pem", certificates, trust, now));
    for (const auto& file : unreadable) holdings.push_back({.file = file, .why = "contains no certificates"});
    std::ranges::sort(holdings, {}, &Holding::file);
    return holdings;
}

void add_certificate(Json& row, const Holding& holding, WallTime now) {
    const auto& end = holding.not_after;
    row["subject"] = holding.subject.empty() ? Json(nullptr) : Json(holding.subject);
    row["not_after"] = end ? Json(second_of(*end)) : Json(nullptr);
    row["days_left"] = end ? Json(days_left(*end, now)) : Json(nullptr);
}

void add_certificate(std::vector<std::string>& row, const Holding& holding, WallTime now) {
    const auto& end = holding.not_after;
    row.push_back(holding.subject);
    row.push_back(end ? second_of(*end) : "");
    row.push_back(end ? std::to_string(days_left(*end, now)) : "");
}

Json to_json(const std::vector<Holding>& holdings, WallTime now) {
    Json rows = Json::array();
    for (const auto& holding : holdings) {
        Json row{{"file", holding.file}};
        add_certificate(row, holding, now);
        row["trusted"] = holding.why.empty();
        row["why"] = holding.why.empty() ? Json(nullptr) : Json(holding.why);
        rows.push_back(std::move(row));
    }
    return rows;
}

std::string to_people(const std::vector<Holding>& holdings, WallTime now) {
    Table table{{"FILE", "SUBJECT", "NOT AFTER", "DAYS LEFT", "TRUSTED"}};
    for (const auto& holding : holdings) {
        std::vector<std::string> row{holding.file};
        add_certificate(row, holding, now);
        row.push_back(holding.why.empty() ? "yes" : "no: " + holding.why);
        table.row(std::move(row));
    }
    return table.text();
}

}  // namespace sluice::ctl
