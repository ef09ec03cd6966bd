#pragma once

#include <format>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "common/config/section.hpp"
#include "common/operations/signed_by.hpp"
#include "ctl/cli/output.hpp"

namespace sluice::ctl {

/// What every command takes.
struct CommonOptions {
    std::string config;       ///< --config, else SLUICE_CONFIG
    Form form = Form::table;  ///< -o
    bool json = false;        ///< --json

    [[nodiscard]] Form chosen_form() const noexcept { return json ? Form::json : form; }
};

/// `variable`: of the environment, with the file where --config names none.
void add_config_option(CLI::App& command, CommonOptions& options, const char* variable = "SLUICE_CONFIG");
void add_output_options(CLI::App& command, CommonOptions& options);

/// A number between `least` and `most`, which the help then says; the value that is there is the default.
template <class Number>
CLI::Option* add_number(CLI::App& command, const std::string& name, Number& target, const std::string& text,
                        double least, double most) {
    const std::string bounds = std::format("; {:.10g} to {:.10g}, {} by default", least, most, target);
    return command.add_option(name, target, text + bounds)
        ->check(CLI::Range(least, most).description(""))
        ->type_name("N");
}

/// The text of an option; nullopt where it was not given.
[[nodiscard]] std::optional<std::string> unless_empty(const std::string& text);

/// Throws Stopped(usage) without operator and reason, which go with everything that is written.
void refuse_unless_signed(const SignedBy& by);

/// The help's last part: examples, one a line, and the exit codes.
void add_footer(CLI::App& command, const std::string& examples);

/// Opens the file of --config. Throws Stopped when none was named, config::Refused when it is no YAML
/// mapping.
[[nodiscard]] config::Document open_config(const CommonOptions& options, config::Problems& problems);

/// Warnings to stderr; throws config::Refused with all problems when there is any.
void refuse_if_any(const config::Problems& problems, Console& console);

}  // namespace sluice::ctl
