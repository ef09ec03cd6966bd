#include "command/program/assemble.hpp"

int main(int argc, char** argv) {
    return sluice::command::run_command_line(argc, argv, sluice::command::assemble_on_mysql);
}
