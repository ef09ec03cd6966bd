#include "ctl/operate/operator_request.hpp"

namespace sluice::ctl {

command::Command signed_command(const OperatorRequest& request, WallTime now) {
    command::Command command;
    command.run = request.run;
    command.action = request.action;
    command.unverified = request.unverified;
    command.effect = request.effect;
    if (request.body) command.edit = {crypto::sha256(*request.body), *request.body};
    command.operator_name = request.operator_name;
    command.reason = request.reason;
    command.host = request.host;
    command.database_user = request.database_user;
    command.requested_at = now;
    return command;
}

}  // namespace sluice::ctl
