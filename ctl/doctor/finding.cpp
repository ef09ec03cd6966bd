#include "ctl/doctor/finding.hpp"

#include <algorithm>
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
