// One step of a webhook so many times and nothing else, for callgrind.
#include <cstdlib>
#include <exception>
#include <map>
#include <print>
#include <string_view>

#include "tests/stages/webhook.hpp"

namespace {

using sluice::stages::Webhook;

const std::map<std::string_view, void (Webhook::*)()> steps{{"head", &Webhook::read_head},
                                                            {"verify", &Webhook::verify},
                                                            {"extract", &Webhook::extract},
                                                            {"encode", &Webhook::encode},
                                                            {"log", &Webhook::log_a_decision}};

}  // namespace

int main(int count, char** arguments) {
    const auto step = count == 3 ? steps.find(arguments[1]) : steps.end();
    if (step == steps.end()) {
        std::println(stderr, "usage: webhook_stages head|verify|extract|encode|log CALLS");
        return 2;
    }
    try {
        Webhook webhook;
        for (long left = std::atol(arguments[2]); left > 0; --left) (webhook.*step->second)();
    } catch (const std::exception& error) {
        std::println(stderr, "webhook_stages: {}", error.what());
        return 1;
    }
    return 0;
}
