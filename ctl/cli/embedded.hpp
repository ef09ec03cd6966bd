#pragma once

#include <span>
#include <string_view>

namespace sluice::ctl {

/// A file of the tree that is compiled in (ctl/embed.cmake).
struct EmbeddedFile {
    std::string_view name;
    std::string_view content;
};

[[nodiscard]] std::span<const EmbeddedFile> sample_files();  ///< ctl/samples/<recipe>/*.json, by recipe
[[nodiscard]] std::span<const EmbeddedFile> kafka_topics();  ///< deploy/kafka/topics.yaml
/// docs/providers/text/<recipe>.md, by recipe
[[nodiscard]] std::span<const EmbeddedFile> provider_texts();

/// ctl/effects/ready/<provider>.<object>.yaml, by that name
[[nodiscard]] std::span<const EmbeddedFile> ready_effects();

}  // namespace sluice::ctl
