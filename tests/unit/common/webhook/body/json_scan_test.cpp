#include "common/webhook/body/json_scan.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "common/webhook/body/json_view.hpp"

namespace sluice::webhook {
namespace {

/// A random document and, for each value in it, its pointer and its text without whitespace.
class Grower {
public:
    explicit Grower(unsigned seed) : random_(seed) {}

    struct Place {
        std::string pointer;
        std::string text;
    };

    std::string grow(const std::string& pointer, int depth, std::string& spaced) {
        const std::size_t mine = places.size();
        places.push_back({pointer, {}});
        std::string text;
        const int kind = depth > 4 ? pick(4) : pick(6);
        if (kind < 4) {
            static const std::vector<std::string> scalars{"1.10", "-1e2", R"("a \"b\" {[,:]} \\")", "null"};
            text = scalars[static_cast<std::size_t>(kind)];
            spaced += text;
        } else {
            text = grow_container(pointer, depth, kind == 4, spaced);
        }
        places[mine].text = text;
        return text;
    }

    std::vector<Place> places;

private:
    int pick(int below) { return std::uniform_int_distribution<>(0, below - 1)(random_); }

    void space(std::string& spaced) {
        for (int i = pick(3); i > 0; --i) spaced += " \t\r\n"[pick(4)];
    }

    std::string grow_container(const std::string& pointer, int depth, bool is_array, std::string& spaced) {
        std::string text = is_array ? "[" : "{";
        spaced += text;
        space(spaced);
        const int count = pick(5);
        for (int i = 0; i < count; ++i) {
            std::string key = is_array ? "" : "\"k\\\"" + std::to_string(i) + "\":";
            if (i > 0) key.insert(0, ",");
            spaced += key;
            space(spaced);
            text += key + grow(pointer + (is_array ? "/" : "/k\"") + std::to_string(i), depth + 1, spaced);
            space(spaced);
        }
        spaced += is_array ? "]" : "}";
        return text + (is_array ? "]" : "}");
    }

    std::mt19937 random_;
};

TEST(JsonScan, CutsEveryValueOutOfRandomDocuments) {
    for (unsigned seed = 0; seed < 300; ++seed) {
        Grower grower(seed);
        std::string spaced = " ";
        grower.grow("", 0, spaced);
        JsonView view;
        ASSERT_TRUE(view.read(spaced)) << spaced;
        for (const auto& place : grower.places) {
            ASSERT_EQ(view.minified(Pointer::parse(place.pointer).value()), place.text)
                << seed << " " << place.pointer;
        }
    }
}

}  // namespace
}  // namespace sluice::webhook
