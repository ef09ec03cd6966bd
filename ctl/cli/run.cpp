#include "ctl/cli/run.hpp"

#include <algorithm>

#include "common/config/problems.hpp"
#include "common/version.hpp"
#include "ctl/cli/commands.hpp"

namespace sluice::ctl {
namespace {

void declare(CLI::App& program, Console& console) {
    program.name("sluicectl");
    program.require_subcommand(1);
    program.set_help_flag("-h,--help", "Show this help: purpose, options and examples");
    program.set_version_flag("--version", sluice::version);
    program.footer(
        "\nRun sluicectl COMMAND --help for details. The configuration comes from --config or "
        "SLUICE_CONFIG.");
    add_verify(program, console);
    add_send(program, console);
    add_listen(program, console);
    add_migrate(program, console);
    add_topics(program, console);
    add_event(program, console);
    add_dlq(program, console);
    add_callback(program, console);
    add_anomaly(program, console);
    add_source(program, console);
    add_outbox(program, console);
    add_command(program, console);
    add_lane(program, console);
    add_doctor(program, console);
    add_recipes(program, console);
    add_paypal(program, console);
    add_keys(program, console);
    add_markers(program, console);
    add_effects(program, console);
    add_erase(program, console);
    add_idle(program, console);
    add_poll(program, console);
}

/// Help that was asked for is an answer; everything else the parser throws is wrong usage.
Exit after_parse_error(const CLI::App& program, const CLI::ParseError& error, Console& console) {
    const bool is_help = program.exit(error, console.out, console.err) == 0;
    return is_help ? Exit::ok : Exit::usage;
}

}  // namespace

Exit run(std::vector<std::string> arguments, Console& console) {
    CLI::App program{"Inspect, test and operate sluice"};
    try {
        declare(program, console);
        std::ranges::reverse(arguments);  // CLI11 takes them last first
        program.parse(arguments);
        return console.exit;
    } catch (const CLI::ParseError& error) {
        return after_parse_error(program, error, console);
    } catch (const Stopped& stopped) {
        console.err << "sluicectl: " << stopped.what() << "\n";
        return stopped.exit();
    } catch (const config::Refused& refused) {
        console.err << "sluicectl: the configuration cannot be used\n" << refused.what() << "\n";
        return Exit::usage;
    } catch (const std::exception& error) {
        console.err << "sluicectl: " << error.what() << "\n";
        return Exit::no;
    }
}

}  // namespace sluice::ctl
