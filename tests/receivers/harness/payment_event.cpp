// Reads one message from standard input; prints what was paid, "nothing" or why not.
#include <iostream>
#include <iterator>

#include "docs/receivers/payment_event.cpp"

int main(int, char** arguments) {
    const std::string value{std::istreambuf_iterator<char>{std::cin}, {}};
    try {
        const auto its = paid(arguments[1], value);
        if (its) std::cout << its->order << ' ' << its->amount << ' ' << its->currency << '\n';
        if (!its) std::cout << "nothing\n";
    } catch (const std::invalid_argument& error) {
        std::cout << error.what() << '\n';
    }
}
