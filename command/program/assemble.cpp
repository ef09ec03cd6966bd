#include "command/program/assemble.hpp"

#include <algorithm>
#include <chrono>
#include <format>
#include <utility>

#include "command/config/line_settings.hpp"
#include "command/execute/mysql_executor.hpp"
#include "command/hot/booker.hpp"
#include "command/hot/hot_executor.hpp"
#include "command/program/calls.hpp"
#include "command/program/configured_commands.hpp"
#include "common/webhook/recipe/program.hpp"
#include "ingress/config/config_fingerprint.hpp"

namespace sluice::command {
namespace {

/// Of what is wrong with several commands; a file that is read again may be without any.
config::Place place_of_commands(const config::Document& document) {
    const auto commands = document.value("commands");
    return commands ? commands->place() : config::Place{document.file(), 0, 0};
}

/// A signed request that somebody recorded is taken for so long, before and after its time, and must find its
/// response.
void check_keep(const CommandSet& set, const CallerSet& callers, const config::Document& document,
                config::Problems& problems) {
    std::chrono::seconds longest{0};
    for (const auto& caller : callers) {
        if (!caller.signature) continue;
        const webhook::TimeWindow& window = *caller.signature->program->window;
        longest = std::max(longest, window.past + window.future);
    }
    for (const auto& one : set.all())
        if (one->keep < longest)
            problems.add(
                place_of_commands(document),
                std::format("command {} keeps its responses for {} s, and a caller's tolerance lets a "
                            "recorded request be sent again for {} s: keep them for longer",
                            one->name, one->keep.count(), longest.count()));
}

struct Served {
    ServeSettings serve;
    ExecutionSettings execution;
    LineSettings line;
};

/// On return the section says which of its keys nobody knows.
Served read_command(const config::Document& document, Role role, bool has_hot, config::Problems& problems) {
    config::Section command = document.section("command");
    auto serve =
        role == Role::book ? read_booking(document, command) : read_serve(document, command, problems);
    return {.serve = std::move(serve),
            .execution = read_execution(command),
            .line = read_line(document, command, has_hot, problems)};
}

CallersReload::File file_of(const std::string& name, std::string fingerprint, const ServeSettings& serve,
                            const CommandSet& set) {
    auto read_again = [name, listen = serve.listen, &set] {
        config::Problems problems;
        const config::Document document = config::Document::from_file(name, problems);
        CallerSet callers = read_callers(document, problems);
        check_certificates(callers, listen, {name, 0, 0}, problems);
        if (!problems.any()) check_keep(set, callers, document, problems);
        if (problems.any()) throw config::Refused{problems.report()};
        return callers;
    };
    return {name, std::move(fingerprint), std::move(read_again)};
}

/// Of the role both: serves, and books beside that.
class BookingExecutor final : public Executor {
public:
    BookingExecutor(std::unique_ptr<Executor> serving, std::shared_ptr<void> booker)
        : booker_{std::move(booker)}, serving_{std::move(serving)} {}

    void execute(Request request, Done done) override {
        serving_->execute(std::move(request), std::move(done));
    }
    void look_up(Key key, SteadyTime answer_by, Found found) override {
        serving_->look_up(std::move(key), answer_by, std::move(found));
    }

private:
    std::shared_ptr<void> booker_;
    std::unique_ptr<Executor> serving_;  // last: calls end first, and are not sent while the booker ends
};

/// All that runs is made of; kept by what makes it.
struct Parts {
    config::MysqlSettings mysql;
    ExecutionSettings execution;
    LineSettings line;
    std::shared_ptr<const CallSettings> calls;  // nullptr: of who takes no requests
};

Around around_of(const Parts& parts, const Surroundings& around) {
    return {parts.mysql, around.log, around.metrics, around.readiness, around.clock};
}

/// What goes through Kafka is executed like the rest where it does not.
std::unique_ptr<Executor> with_hot(std::unique_ptr<Executor> effects, const CommandSet& set,
                                   const Parts& parts, const Around& around) {
    if (!set.has_hot()) return effects;
    return make_hot_executor(std::move(effects), set, parts.line, parts.execution, around);
}

Program::MakeExecutor maker(const std::shared_ptr<const Parts>& parts, const CommandSet& set,
                            const MakeBooker& book) {
    return [parts, &set, book](const Surroundings& surroundings) {
        const Around around = around_of(*parts, surroundings);
        auto executor = with_hot(make_executor(set, parts->execution, around), set, *parts, around);
        executor = with_calls(std::move(executor), set, parts->execution, around, parts->calls);
        if (!book) return executor;
        return std::unique_ptr<Executor>{
            std::make_unique<BookingExecutor>(std::move(executor), book(surroundings))};
    };
}

MakeBooker book_maker(const std::shared_ptr<const Parts>& parts, const CommandSet& set) {
    return [parts, &set](const Surroundings& surroundings) {
        return std::make_shared<Booker>(set, parts->line, around_of(*parts, surroundings));
    };
}

/// A command that waited for three quarters of its `keep` is not executed any more (is_too_old). A day leaves
/// time to mend what holds a partition, and one that waits behind another waits for that one's delay.
void check_hot(const CommandSet& set, const config::Document& document, config::Problems& problems) {
    std::chrono::seconds longest{0};
    for (const auto& one : set.all())
        if (one->hot) longest = std::max(longest, std::chrono::ceil<std::chrono::seconds>(one->hot->delay));
    const std::chrono::seconds least = std::max<std::chrono::seconds>(std::chrono::hours{24}, 4 * longest);
    for (const auto& one : set.all())
        if (one->hot && one->keep < least)
            problems.add(place_of_commands(document),
                         std::format("command {} has hot, so keep must be at least 24h, and four times the "
                                     "longest delay",
                                     one->name));
}

void check_all(const CommandSet& set, const CallerSet& callers, Role role, const config::Document& document,
               config::Problems& problems) {
    check_keep(set, callers, document, problems);
    check_hot(set, document, problems);
    if (set.all().empty())
        problems.add({document.file(), 0, 0}, "commands is empty: there is nothing to execute");
    if (role == Role::book && !set.has_hot())
        problems.add({document.file(), 0, 0}, "no command has hot: there is nothing to book");
}

}  // namespace

Assembly assemble_on_mysql(const std::string& file, Role role, config::Problems& problems) {
    const bool serves = role != Role::book;
    std::string fingerprint =
        serves ? ingress::content_fingerprint(file, "callers") : "";  // before it is read
    const config::Document document = config::Document::from_file(file, problems);
    auto commands = std::make_unique<const ConfiguredCommands>(CommandSet::read(document));
    const CommandSet& set = commands->set();
    auto [serve, execution, line] = read_command(document, role, set.has_hot(), problems);
    auto calls = serves ? read_calls(set, document, problems) : nullptr;
    const auto parts = std::make_shared<const Parts>(
        Parts{config::read_mysql(document, problems), execution, std::move(line), std::move(calls)});
    const config::LogSettings log = config::read_log(document);
    if (!problems.any()) check_all(set, serve.callers, role, document, problems);
    if (problems.any()) throw config::Refused{problems.report()};
    serve.file = file_of(file, std::move(fingerprint), serve, set);
    // Those that wait for Kafka wait in a queue of their own.
    const int queues = set.has_hot() ? 2 : 1;
    serve.bounds = {.max_body = static_cast<std::size_t>(execution.longest_body),
                    .max_in_flight = execution.workers + queues * execution.queue};
    MakeBooker book = set.has_hot() && role != Role::serve ? book_maker(parts, set) : MakeBooker{};
    auto make = maker(parts, set, book);
    return {.serve = std::move(serve),
            .log = log,
            .commands = std::move(commands),
            .make = std::move(make),
            .book = std::move(book)};
}

}  // namespace sluice::command
