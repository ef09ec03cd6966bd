#include "ctl/paypal/address_line.hpp"

#include <algorithm>

#include "common/joined.hpp"
#include "common/webhook/signature/certificate_belief.hpp"
#include "ctl/cli/table.hpp"

namespace sluice::ctl {
namespace {

using State = AddressLine::State;

constexpr std::size_t most_files = webhook::CertificateFolder::most_files;
constexpr std::size_t most_in_answer = 16;  // each is tried as the leaf

void refuse(AddressLine& line, std::string why) {
    line.state = State::refused;
    line.holding.why = std::move(why);
}

/// Fills in what is known of a certificate, and says whether it is believed.
bool describe(AddressLine& line, const webhook::CertificateTrust& trust,
              const crypto::Certificates& certificates, WallTime now) {
    line.holding = holding_of(std::move(line.holding.file), certificates, trust, now);
    return line.holding.why.empty();
}

/// Servers may send the chain in any order; the ingress takes the first one as the leaf.
crypto::Certificates leaf_first(const crypto::Certificates& sent, const webhook::CertificateTrust& trust,
                                WallTime now) {
    for (std::size_t leaf = 0; leaf < sent.size(); ++leaf) {
        crypto::Certificates ordered = sent.led_by(leaf);
        const auto believed = webhook::believe(ordered, trust, now);
        if (believed || believed.error().of != webhook::Disbelief::Of::name) return ordered;
    }
    return sent.led_by(0);
}

std::string_view name_of(State state) {
    switch (state) {
        case State::wanted:
            return "wanted";
        case State::there:
            return "there";
        case State::unchanged:
            return "unchanged";
        case State::to_be_written:
            return "to be written";
        case State::written:
            return "written";
        case State::refused:
            return "refused";
        case State::unreachable:
            break;
    }
    return "unreachable";
}

}  // namespace

AddressLine look_up(const webhook::CertificateTrust& trust, const std::string& address, WallTime now) {
    AddressLine line{.address = address, .holding = {.file = webhook::CertificateFolder::name_for(address)}};
    if (!webhook::is_address_at(address, trust.hosts)) {
        refuse(line, "must be https at one of these hosts: " + joined(trust.hosts, ", "));
        return line;
    }
    const crypto::Certificates* const held = trust.cache.find(address);
    line.replaces = held != nullptr;
    if (held != nullptr && describe(line, trust, *held, now)) line.state = State::there;
    return line;
}

void judge_answer(AddressLine& line, const webhook::CertificateTrust& trust, std::string_view answer,
                  WallTime now) {
    const auto sent = crypto::Certificates::from_pem(answer);
    if (!sent) return refuse(line, "the answer contains no certificates in PEM");
    if (sent->size() > most_in_answer) return refuse(line, "the answer contains more than 16 certificates");
    line.text = leaf_first(*sent, trust, now).to_pem();
    const auto filed = crypto::Certificates::from_pem(line.text);
    if (!filed || line.text.size() > webhook::CertificateFolder::longest_file)
        return refuse(line, "the certificates do not fit into a file of 64 KiB");
    if (!describe(line, trust, *filed, now)) return refuse(line, std::move(line.holding.why));
    const crypto::Certificates* const held = trust.cache.find(line.address);
    const bool is_same = held != nullptr && held->to_pem() == line.text;
    line.state = is_same ? State::unchanged : State::to_be_written;
}

void refuse_beyond_room(std::vector<AddressLine>& lines, std::size_t files) {
    for (auto& line : lines) {
        if (line.state != State::to_be_written || line.replaces) continue;
        if (++files > most_files) refuse(line, "the folder already has 256 files, and no more are read");
    }
}

Exit exit_of(const std::vector<AddressLine>& lines) {
    if (std::ranges::contains(lines, State::refused, &AddressLine::state)) return Exit::no;
    const bool any_away = std::ranges::contains(lines, State::unreachable, &AddressLine::state);
    return any_away ? Exit::unreachable : Exit::ok;
}

Json to_json(const std::vector<AddressLine>& lines, WallTime now) {
    Json rows = Json::array();
    for (const auto& line : lines) {
        Json row{{"address", line.address},
                 {"file", line.holding.file},
                 {"state", std::string{name_of(line.state)}}};
        add_certificate(row, line.holding, now);
        row["why"] = line.holding.why.empty() ? Json(nullptr) : Json(line.holding.why);
        rows.push_back(std::move(row));
    }
    return rows;
}

std::string to_people(const std::vector<AddressLine>& lines, WallTime now) {
    Table table{{"ADDRESS", "STATE", "SUBJECT", "NOT AFTER", "DAYS LEFT"}};
    Table reasons{{"ADDRESS", "WHY"}};
    bool any_reason = false;
    for (const auto& line : lines) {
        std::vector<std::string> row{line.address, std::string{name_of(line.state)}};
        add_certificate(row, line.holding, now);
        table.row(std::move(row));
        if (line.holding.why.empty()) continue;
        any_reason = true;
        reasons.row({line.address, line.holding.why});
    }
    return table.text() + (any_reason ? "\n" + reasons.text() : "");
}

}  // namespace sluice::ctl
