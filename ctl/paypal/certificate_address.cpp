#include "ctl/paypal/certificate_address.hpp"

#include <optional>

#include "ctl/cli/exit.hpp"
#include "ctl/verify/request_file.hpp"

namespace sluice::ctl {

std::string address_in_request(std::string_view text, const std::string& file, const webhook::Input& place) {
    const auto request = parse_request_file(text);
    if (!request) throw Stopped{Exit::usage, file + " does not contain a request: " + request.error()};
    const std::string_view header = webhook::name_of(place);
    if (place.from != webhook::Input::From::header)
        throw Stopped{Exit::usage, "the recipe reads the address from the body: give it with --url"};
    std::optional<std::string> address;
    for (const auto& field : request->fields) {
        if (!webhook::is_same_name(field.name, header)) continue;
        if (address) throw Stopped{Exit::usage, file + " has more than one " + std::string{header}};
        address = field.value;
    }
    if (!address) throw Stopped{Exit::usage, file + " has no " + std::string{header}};
    return *address;
}

}  // namespace sluice::ctl
