#include "common/config/extent.hpp"

#include <algorithm>
#include <map>
#include <sstream>
#include <vector>

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/parser.h>

#include "common/config/scalar_text.hpp"

namespace sluice::config {
namespace {

constexpr std::size_t bytes_of_value = 16;

/// The size of a value with its aliases expanded.
struct Extent {
    std::size_t bytes = bytes_of_value;
    std::size_t depth = 1;
};

/// Adds up while parsing; throws Excess where a bound is exceeded, so that no sum grows beyond it.
class Measure final : public YAML::EventHandler {
public:
    void OnDocumentStart(const YAML::Mark& mark) override {
        if (++documents_ > 1) throw Excess{mark, "the YAML document ends before this: a file holds only one"};
    }
    void OnDocumentEnd() override {}

    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { leaf(mark, anchor, 0); }
    void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  const std::string& text) override {
        leaf(mark, anchor, text.size());
    }
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        const auto meant = anchored_.find(anchor);
        if (meant == anchored_.end()) throw Excess{mark, "this alias refers to a value that contains it"};
        add(mark, meant->second);
    }

    void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value) override {
        open(mark, anchor);
    }
    void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                    YAML::EmitterStyle::value) override {
        open(mark, anchor);
    }
    void OnSequenceEnd() override { close(); }
    void OnMapEnd() override { close(); }

private:
    struct Open {
        YAML::Mark mark;
        YAML::anchor_t anchor;
        Extent extent;
    };

    void open(const YAML::Mark& mark, YAML::anchor_t anchor) {
        open_.push_back({mark, anchor, {}});
        check(mark, {});
    }

    void close() {
        const Open closed = open_.back();
        open_.pop_back();
        remember(closed.anchor, closed.extent);
        add(closed.mark, closed.extent);
    }

    void leaf(const YAML::Mark& mark, YAML::anchor_t anchor, std::size_t size) {
        const Extent extent{bytes_of_value + size};
        remember(anchor, extent);
        add(mark, extent);
    }

    void remember(YAML::anchor_t anchor, const Extent& extent) {
        if (anchor != 0) anchored_[anchor] = extent;
    }

    void add(const YAML::Mark& mark, const Extent& part) {
        check(mark, part);
        if (open_.empty()) return;
        Extent& whole = open_.back().extent;
        whole.bytes += part.bytes;
        whole.depth = std::max(whole.depth, part.depth + 1);
    }

    void check(const YAML::Mark& mark, const Extent& part) const {
        if (open_.size() + part.depth > deepest_value + 1) {
            throw Excess{mark,
                         "values are nested more than " + std::to_string(deepest_value) + " levels deep"};
        }
        const std::size_t before = open_.empty() ? 0 : open_.back().extent.bytes;
        if (before + part.bytes > most_written_out) {
            throw Excess{mark,
                         "with its aliases expanded, and 16 bytes for each value, the file is larger than " +
                             size_text(static_cast<std::int64_t>(most_written_out))};
        }
    }

    std::map<YAML::anchor_t, Extent> anchored_;
    std::vector<Open> open_;
    int documents_ = 0;
};

}  // namespace

std::optional<Excess> excess_of(const std::string& text) {
    std::istringstream in{text};
    YAML::Parser parser{in};
    Measure measure;
    try {
        // Not YAML::LoadAll: before a stray comma yaml-cpp makes one empty document after another.
        while (parser.HandleNextDocument(measure)) continue;
    } catch (const Excess& excess) {
        return excess;
    }
    return std::nullopt;
}

}  // namespace sluice::config
