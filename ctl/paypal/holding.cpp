#include "ctl/paypal/holding.hpp"

#include <algorithm>

#include "ctl/cli/table.hpp"
#include "ctl/paypal/certificate_words.hpp"

namespace sluice::ctl {
namespace {

Holding holding_of(const std::string& digest, const crypto::Certificates& certificates,
                   const webhook::CertificateTrust& trust, WallTime now) {
    const auto believed = webhook::believe(certificates, trust, now);
    return {.file = digest + ".pem",
            .subject = subject_of(certificates),
            .not_after = believed ? believed->key.not_after : certificates.not_after(),
            .why = believed ? "" : why_not(believed.error(), certificates, trust)};
}

}  // namespace

std::vector<Holding> holdings_of(const webhook::CertificateTrust& trust,
                                 const std::vector<std::string>& unreadable, WallTime now) {
    std::vector<Holding> holdings;
    for (const auto& [digest, certificates] : trust.cache.all())
        holdings.push_back(holding_of(digest, certificates, trust, now));
    for (const auto& file : unreadable) holdings.push_back({.file = file, .why = "contains no certificates"});
    std::ranges::sort(holdings, {}, &Holding::file);
    return holdings;
}

Json to_json(const std::vector<Holding>& holdings, WallTime now) {
    Json rows = Json::array();
    for (const auto& holding : holdings) {
        Json row{{"file", holding.file}};
        add_certificate(row, holding.subject, holding.not_after, now);
        row["trusted"] = holding.why.empty();
        row["why"] = holding.why.empty() ? Json(nullptr) : Json(holding.why);
        rows.push_back(std::move(row));
    }
    return rows;
}

std::string to_people(const std::vector<Holding>& holdings, WallTime now) {
    Table table{{"FILE", "SUBJECT", "NOT AFTER", "DAYS LEFT", "TRUSTED"}};
    for (const auto& holding : holdings) {
        table.row({holding.file, holding.subject, second_of(holding.not_after),
                   days_left(holding.not_after, now), holding.why.empty() ? "yes" : "no: " + holding.why});
    }
    return table.text();
}

}  // namespace sluice::ctl
