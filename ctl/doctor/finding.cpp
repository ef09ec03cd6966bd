#include "ctl/doctor/finding.hpp"

#include <algorithm>
#include <cmath>
#include <format>
#include <iterator>

#include "ctl/cli/table.hpp"

namespace sluice::ctl {
namespace {

std::size_t count_of(const Findings& findings, Level level) {
    return static_cast<std::size_t>(std::ranges::count(findings, level, &Finding::level));
}

}  // namespace

void append(Findings& findings, Findings more) {
    findings.insert(findings.end(), std::make_move_iterator(more.begin()),
                    std::make_move_iterator(more.end()));
}

Findings judge_config(const std::string& part, const config::Problems& problems,
                      const config::Problems& said) {
    Findings findings;
    const std::string check = "config." + part;
    const auto take = [&](const auto& sentences, const auto& said_already, Level level) {
        for (const auto& sentence : sentences) {
            if (!std::ranges::contains(said_already, sentence)) findings.push_back({check, level, sentence});
        }
    };
    take(problems.errors(), said.errors(), Level::fail);
    take(problems.warnings(), said.warnings(), Level::warn);
    if (findings.empty()) findings.push_back({check, Level::ok, "no problems"});
    return findings;
}

Finding judge_clock(const std::string& check, WallTime ours, WallTime theirs) {
    const double apart = std::abs(std::chrono::duration<double>(theirs - ours).count());
    if (apart <= 2) return {check, Level::ok, std::format("its clock and ours are {:.3f} s apart", apart)};
    return {check, apart > 60 ? Level::fail : Level::warn,
            std::format("its clock and ours are {:.0f} s apart: synchronize both by NTP", apart)};
}

std::string name_of(Level level) {
    switch (level) {
        case Level::ok:
            return "ok";
        case Level::warn:
            return "warn";
        case Level::fail:
            return "FAIL";
    }
    return {};
}

Exit exit_of(const Findings& findings) noexcept {
    return std::ranges::contains(findings, Level::fail, &Finding::level) ? Exit::no : Exit::ok;
}

Json to_json(const Findings& findings) {
    Json lines = Json::array();
    for (const auto& finding : findings) {
        const std::string level = finding.level == Level::fail ? "fail" : name_of(finding.level);
        lines.push_back({{"check", finding.check}, {"level", level}, {"sentence", finding.sentence}});
    }
    return {{"healthy", exit_of(findings) == Exit::ok}, {"findings", std::move(lines)}};
}

std::string to_people(const Findings& findings) {
    Table table{{"CHECK", "STATE", "WHAT"}};
    for (const auto& finding : findings) table.row({finding.check, name_of(finding.level), finding.sentence});
    return table.text() + std::format("\n{} ok, {} warnings, {} failed\n", count_of(findings, Level::ok),
                                      count_of(findings, Level::warn), count_of(findings, Level::fail));
}

}  // namespace sluice::ctl
