#include "ctl/cli/options.hpp"

#include <map>

namespace sluice::ctl {

void add_config_option(CLI::App& command, CommonOptions& options, const char* variable) {
    CLI::Option* its = command.add_option("--config", options.config, "Configuration file");
    its->envname(variable)->type_name("FILE");
    const CLI::App* above = command.get_parent();
    const CLI::Option* before = above == nullptr ? nullptr : above->get_option_no_throw("--config");
    if (before == nullptr) return;
    command.preparse_callback([its, before, &options](std::size_t) {
        if (before->results().empty()) return;
        options.config = before->results().back();
        its->envname("");  // what is given counts before the environment
    });
}

void add_output_options(CLI::App& command, CommonOptions& options) {
    static const std::map<std::string, Form> forms{
        {"table", Form::table}, {"json", Form::json}, {"yaml", Form::yaml}};
    command.add_option("-o,--output", options.form, "Output format: table (default), json or yaml")
        ->transform(CLI::CheckedTransformer(forms).description(""))
        ->type_name("FORM");
    command.add_flag("--json", options.json, "Short for -o json");
}

void add_footer(CLI::App& command, const std::string& examples) {
    command.footer("\nExamples:\n" + examples +
                   "\nExit codes: 0 ok; 1 the answer is no, or something failed;\n"
                   "            2 wrong usage or configuration; 3 a server cannot be reached\n");
}

void refuse_unless_signed(const SignedBy& by) {
    if (const std::string why = why_not_signed(by); !why.empty()) throw Stopped{Exit::usage, why};
}

config::Document open_config(const CommonOptions& options, config::Problems& problems) {
    if (options.config.empty()) {
        throw Stopped{Exit::usage, "no configuration: give --config FILE or set SLUICE_CONFIG"};
    }
    return config::Document::from_file(options.config, problems);
}

std::optional<std::string> unless_empty(const std::string& text) {
    return text.empty() ? std::nullopt : std::optional{text};
}

void refuse_if_any(const config::Problems& problems, Console& console) {
    for (const auto& warning : problems.warnings()) console.err << "warning: " << warning << "\n";
    if (problems.any()) throw config::Refused{problems.report()};
}

}  // namespace sluice::ctl
