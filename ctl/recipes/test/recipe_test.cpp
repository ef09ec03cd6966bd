#include <memory>

#include "ctl/recipes/recipe_commands.hpp"
#include "ctl/recipes/test/sample_file.hpp"
#include "ctl/recipes/test/trial_report.hpp"

namespace sluice::ctl {
namespace {

struct TestOptions {
    CommonOptions common;
    std::string file;
};

Exit test_recipe(const TestOptions& options, Console& console) {
    const TrialReport report =
        try_samples(read_sample_file(options.file, read_recipes(options.common, console), console));
    print(console, options.common.chosen_form(), to_json(report), to_people(report));
    return report.wrong() == 0 ? Exit::ok : Exit::no;
}

}  // namespace

void add_recipe_test(CLI::App& recipes, Console& console) {
    const auto options = std::make_shared<TestOptions>();
    CLI::App& command = *recipes.add_subcommand(
        "test", "Test a recipe: is each sample request accepted or refused as you say?");
    command
        .add_option("file", options->file,
                    "Samples in YAML: recipe, source, samples (format: docs/recipes.md)")
        ->required()
        ->type_name("FILE");
    add_config_option(command, options->common);
    add_output_options(command, options->common);
    add_footer(command,
               "  sluicectl recipes test acme.samples.yaml\n"
               "  sluicectl recipes test acme.samples.yaml --config sluice.yaml --json\n"
               "\nThe smallest file:\n"
               "  recipe: github\n"
               "  source: {keys: [{id: a, value: {text: \"It's a Secret to Everybody\"}}]}\n"
               "  samples:\n"
               "    - name: GitHub's own example\n"
               "      headers:\n"
               "        X-Hub-Signature-256: "
               "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17\n"
               "      body: Hello, World!\n"
               "      accepted: true\n"
               "    - {name: changed, like: GitHub's own example, body: Hello, accepted: false}\n");
    command.callback([options, &console] { console.exit = test_recipe(*options, console); });
}

}  // namespace sluice::ctl
