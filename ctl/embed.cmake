# Writes OUTPUT, a C++ source that holds the FILES as text under their names without folder and, with
# STRIP, without that ending; where STRIP is "folder", under the names of their folders:  std::span<const EmbeddedFile> FUNCTION()
# Run with cmake -P; FILES is separated by "|".
string(REPLACE "|" ";" files "${FILES}")
set(entries "")
foreach(file IN LISTS files)
  file(READ "${file}" content)
  get_filename_component(name "${file}" NAME)
  if(STRIP STREQUAL "folder")
    get_filename_component(name "${file}" DIRECTORY)
    get_filename_component(name "${name}" NAME)
  elseif(STRIP)
    string(REGEX REPLACE "\\${STRIP}$" "" name "${name}")
  endif()
  string(APPEND entries "    {\"${name}\", R\"sluice(${content})sluice\"},\n")
endforeach()
file(WRITE "${OUTPUT}" "#include \"ctl/cli/embedded.hpp\"

namespace sluice::ctl {

std::span<const EmbeddedFile> ${FUNCTION}() {
    static constexpr EmbeddedFile files[] = {
${entries}    };
    return files;
}

}  // namespace sluice::ctl
")
