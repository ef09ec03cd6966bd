#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <yaml-cpp/yaml.h>

#include "common/clock.hpp"
#include "common/config/problems.hpp"
#include "common/config/secret_reference.hpp"

namespace sluice::config {

/// A node of the file that knows its place. Cheap to copy. For values whose grammar is not a
/// plain mapping (effects, recipes); mappings are read through Section.
class Value {
public:
    Value(YAML::Node node, std::shared_ptr<const std::string> file, Problems& problems);

    [[nodiscard]] Place place() const;
    [[nodiscard]] bool is_scalar() const;
    [[nodiscard]] bool is_list() const;
    [[nodiscard]] bool is_mapping() const;
    [[nodiscard]] bool is_quoted() const;            ///< a scalar in quotes: text, whatever it looks like
    [[nodiscard]] std::string scalar() const;        ///< empty when it is not one
    [[nodiscard]] std::vector<Value> items() const;  ///< empty when it is not a list
    [[nodiscard]] std::vector<std::pair<Value, Value>> entries() const;  ///< of a mapping, in file order
    /// Of a mapping; nullopt where it has no such key. It adds no problem: `entries` does, for each bad key.
    [[nodiscard]] std::optional<Value> entry(std::string_view key) const;
    void problem(const std::string& sentence) const;  ///< Problems::add at place()
    [[nodiscard]] Problems& problems() const { return *problems_; }

    [[nodiscard]] std::optional<std::int64_t> integer() const;     ///< problem when it is not one
    [[nodiscard]] std::vector<std::string> text_or_texts() const;  ///< a scalar, or a list of scalars

private:
    friend class Section;
    YAML::Node node_;
    std::shared_ptr<const std::string> file_;
    Problems* problems_;
};

/// One mapping of the file, closed: every key that was not asked for is a problem, with the nearest
/// known key as a hint, when the Section goes out of scope. A key given twice is a problem. A
/// missing or null mapping reads as empty, a null value as missing. Problems go to the Problems it
/// was made with; readers then return the default, so that reading goes on and everything is
/// reported at once.
class Section {
public:
    explicit Section(const Value& value, std::string path = "");
    Section(Section&&) noexcept;
    Section(const Section&) = delete;
    ~Section();

    [[nodiscard]] Place place() const;
    [[nodiscard]] const std::string& path() const noexcept { return path_; }  ///< "sources[0].keys"
    [[nodiscard]] bool has(std::string_view key);                             ///< counts as asked for

    [[nodiscard]] std::string text(std::string_view key, std::string_view fallback);
    [[nodiscard]] std::string required_text(std::string_view key);
    [[nodiscard]] std::string one_of(std::string_view key, std::initializer_list<std::string_view> allowed,
                                     std::string_view fallback);
    [[nodiscard]] bool boolean(std::string_view key, bool fallback);
    [[nodiscard]] std::int64_t integer(std::string_view key, std::int64_t fallback, std::int64_t least,
                                       std::int64_t most);
    [[nodiscard]] double ratio(std::string_view key, double fallback);  ///< a decimal number from 0 to 1
    [[nodiscard]] Milliseconds duration(std::string_view key, Milliseconds fallback, Milliseconds least,
                                        Milliseconds most);
    /// "64KiB", "1MiB" or a plain number of bytes.
    [[nodiscard]] std::int64_t size(std::string_view key, std::int64_t fallback, std::int64_t least,
                                    std::int64_t most);
    [[nodiscard]] std::optional<WallTime> instant(std::string_view key);  ///< RFC 3339
    [[nodiscard]] std::vector<std::string> texts(std::string_view key);  ///< a scalar counts as a list of one
    /// {file: PATH} or {env: NAME}; a plain string is refused with a sentence that says why.
    [[nodiscard]] std::optional<SecretReference> secret(std::string_view key);
    [[nodiscard]] Section section(std::string_view key);
    [[nodiscard]] std::vector<Section> sections(std::string_view key);  ///< a list of mappings
    [[nodiscard]] std::optional<Value> value(std::string_view key);     ///< as it stands

    void problem(const std::string& sentence) const;  ///< at this section
    /// At the key's value, or at this section when the key is missing.
    void problem_at(std::string_view key, const std::string& sentence) const;
    void warn(const std::string& sentence) const;
    /// For a part that another program reads.
    void leave_unread(std::string_view key);

private:
    struct State;
    [[nodiscard]] std::string name_of(std::string_view key) const;     // "kafka.sasl.user"
    void refuse(std::string_view key, const std::string& must) const;  // "kafka.sasl.user must …"
    std::unique_ptr<State> state_;
    std::string path_;
};

/// The whole file. Top-level keys are a closed list; a program reads the sections it uses.
class Document {
public:
    /// Throws Refused when the file cannot be read, is not a YAML mapping (with line and column) or is too
    /// large (common/config/extent.hpp): what is read can be walked, recursively too.
    static Document from_file(const std::string& path, Problems& problems);
    static Document from_text(const std::string& text, const std::string& name, Problems& problems);

    [[nodiscard]] Section section(std::string_view key) const;
    [[nodiscard]] std::optional<Value> value(std::string_view key) const;
    [[nodiscard]] const std::string& file() const noexcept { return *file_; }

    /// The same file, read once; what is wrong with the parts that are read through it goes to `problems`,
    /// which outlives it.
    [[nodiscard]] Document reporting_to(Problems& problems) const { return {root_, file_, problems}; }

private:
    Document(YAML::Node root, std::shared_ptr<const std::string> file, Problems& problems);
    YAML::Node root_;
    std::shared_ptr<const std::string> file_;
    Problems* problems_;
};

}  // namespace sluice::config
