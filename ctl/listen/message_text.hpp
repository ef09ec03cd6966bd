#pragma once

#include <string>

#include "ctl/listen/receiver.hpp"

/// How messages are shown. Pure; what a sender wrote cannot draw on the terminal, nor make a second line.
namespace sluice::ctl {

/// One line: time, effect, source, the key's first 12 digits, signature, new or again, size, answer. With
/// `show_body` the body follows, indented, its first 16 KiB.
[[nodiscard]] std::string message_text(const Message& message, bool show_body);

/// A JSON object on one line, in ASCII; with `show_body` it has the whole body as text.
[[nodiscard]] std::string message_json(const Message& message, bool show_body);

}  // namespace sluice::ctl
