// Answers each message of stdin as docs/receivers/receiver.cpp does: `STATUS WORKED` a line.
#include <iostream>
#include <ranges>
#include <set>
#include <stdexcept>
#include <string_view>

#include "docs/receivers/receiver.cpp"

namespace {

/// One table in memory: a transaction's rows count from its commit on.
struct Table {
    std::set<std::string> rows{};

    struct Transaction {
        Table& table;
        std::set<std::string> added{};

        int rows_of(std::string_view statement, const std::string& id) {
            if (!statement.starts_with("INSERT INTO received_message (id) "))
                throw std::logic_error{"not that statement"};
            return !table.rows.contains(id) && added.insert(id).second ? 1 : 0;
        }
        void commit() { table.rows.merge(added); }
    };
    Transaction begin() { return {*this}; }
};

std::vector<std::string> parts_of(std::string_view text, char separator) {
    std::vector<std::string> parts;
    for (const auto part : std::views::split(text, separator)) parts.emplace_back(part.begin(), part.end());
    return parts;
}

std::string from_base64(const std::string& text) {
    const Bytes bytes = key_of(text);
    return {bytes.begin(), bytes.end()};
}

int answer(const std::vector<std::string>& fields, Table& table, int& worked) {
    Headers headers;
    for (const auto& field : fields | std::views::drop(3))
        headers[field.substr(0, field.find('='))] = field.substr(field.find('=') + 1);
    const auto work = [&](Table::Transaction&, const std::string& body) {
        if (body.contains("fails")) throw std::runtime_error{"as the test asks"};
        ++worked;
    };
    try {
        return receive(headers, from_base64(fields[1]), parts_of(fields[2], '|'), std::stoll(fields[0]),
                       table, work);
    } catch (const std::runtime_error&) {
        return 500;
    }
}

}  // namespace

int main() {
    Table table;
    for (std::string line; std::getline(std::cin, line);) {
        int worked = 0;
        const int status = answer(parts_of(line, '\t'), table, worked);
        std::cout << status << ' ' << worked << std::endl;
    }
}
