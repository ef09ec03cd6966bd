#include "ctl/keys/key_list.hpp"

#include <algorithm>

#include "common/time_text.hpp"
#include "ctl/cli/table.hpp"
#include "ctl/cli/time_words.hpp"

namespace sluice::ctl {
namespace {

std::string word_for(KeyLine::State state) {
    switch (state) {
        case KeyLine::State::as_recorded:
            return "as recorded";
        case KeyLine::State::fresh:
            return "new";
        case KeyLine::State::changed:
            return "changed";
        case KeyLine::State::not_in_file:
            break;
    }
    return "not in the file";
}

KeyLine line_of(const store::RecordedKeys& recorded, KeyLine::State state) {
    return {state, recorded.keys, recorded.recorded_at, recorded.operator_name};
}

KeyLine line_for(const record::SourceKeys& keys, const std::vector<store::RecordedKeys>& recorded,
                 const std::vector<record::KeyChange>& changes) {
    const auto known = std::ranges::find(recorded, keys.path, [](const auto& row) { return row.keys.path; });
    KeyLine line = known == recorded.end() ? KeyLine{KeyLine::State::fresh, keys}
                                           : line_of(*known, KeyLine::State::as_recorded);
    line.keys = keys;
    const auto change = std::ranges::find(changes, keys.path, [](const auto& one) { return one.now.path; });
    if (change == changes.end()) return line;
    line.state = KeyLine::State::changed;
    line.difference = record::difference_of(*change);
    return line;
}

}  // namespace

std::vector<KeyLine> compare_keys(const std::vector<store::RecordedKeys>& recorded,
                                  const std::vector<record::SourceKeys>& configured) {
    std::vector<record::SourceKeys> before;
    for (const auto& row : recorded) before.push_back(row.keys);
    const auto changes = record::changed_keys(before, configured);
    std::vector<KeyLine> lines;
    for (const auto& keys : configured) lines.push_back(line_for(keys, recorded, changes));
    for (const auto& row : recorded) {
        if (!std::ranges::contains(configured, row.keys.path, &record::SourceKeys::path))
            lines.push_back(line_of(row, KeyLine::State::not_in_file));
    }
    return lines;
}

bool has_changes(const std::vector<KeyLine>& lines) {
    return std::ranges::contains(lines, KeyLine::State::changed, &KeyLine::state);
}

Json to_json(const std::vector<KeyLine>& lines) {
    Json list = Json::array();
    for (const KeyLine& line : lines) {
        list.push_back(
            {{"path", line.keys.path},
             {"provider", line.keys.provider},
             {"principal", line.keys.principal},
             {"made_of", line.keys.made_of},
             {"state", word_for(line.state)},
             {"recorded_at", line.recorded_at ? Json(to_rfc3339(*line.recorded_at)) : Json(nullptr)},
             {"operator", line.operator_name},
             {"difference", line.difference}});
    }
    return {{"paths", std::move(list)}};
}

std::string to_people(const std::vector<KeyLine>& lines) {
    Table table{{"PATH", "PROVIDER", "PRINCIPAL", "RECORDED", "BY", "KEYS"}};
    std::string differences;
    for (const KeyLine& line : lines) {
        table.row({line.keys.path, line.keys.provider, line.keys.principal,
                   line.recorded_at ? short_time(*line.recorded_at) : "", line.operator_name,
                   word_for(line.state)});
        if (!line.difference.empty()) differences += "\n" + line.keys.path + ": " + line.difference + "\n";
    }
    return table.text() + differences;
}

}  // namespace sluice::ctl
