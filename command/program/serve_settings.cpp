#include "command/program/serve_settings.hpp"

#include <format>

namespace sluice::command {

void check_certificates(const CallerSet& callers, const config::ListenSettings& listen,
                        const config::Place& place, config::Problems& problems) {
    if (!listen.tls.ca_file.empty()) return;
    for (const Caller& caller : callers)
        if (caller.certificate)
            problems.add(
                place,
                std::format("caller \"{}\" is known by its certificate: command.listen.tls.client_ca must "
                            "name who vouches for it",
                            caller.name));
}

ServeSettings read_booking(const config::Document& document, config::Section& command) {
    command.leave_unread("listen");
    command.leave_unread("client_certificates");
    return {.listen = {},
            .operations = config::read_operations(document, config::OperationsOf::command),
            .callers = {}};
}

ServeSettings read_serve(const config::Document& document, config::Section& command,
                         config::Problems& problems) {
    ServeSettings settings{.listen = config::read_listen(command.section("listen"), "0.0.0.0:8081"),
                           .operations = config::read_operations(document, config::OperationsOf::command),
                           .tracing = config::read_tracing(document, problems),
                           .callers = read_callers(document, problems)};
    if (settings.listen.proxy != config::ListenSettings::Proxy::none)
        command.problem_at("listen", "command.listen.proxy.mode must be none: callers connect themselves");
    if (!settings.listen.tls.ca_file.empty() && !settings.listen.tls.enabled)
        command.problem_at(
            "listen",
            "command.listen.tls.client_ca needs TLS, which is off: set cert and key beside it, "
            "and no enabled: false");
    settings.requires_certificates =
        command.one_of("client_certificates", {"optional", "required"}, "optional") == "required";
    if (settings.requires_certificates && settings.listen.tls.ca_file.empty())
        command.problem_at("client_certificates",
                           "command.client_certificates: required needs command.listen.tls.client_ca");
    check_certificates(settings.callers, settings.listen, command.place(), problems);
    return settings;
}

}  // namespace sluice::command
