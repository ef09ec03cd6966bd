# cmake -DOUTPUT=FILE -P embed.cmake -- RECIPE.yaml…: writes a C++ source that holds the files' bytes.
set(names "")
set(arrays "")
set(take FALSE)
foreach(index RANGE ${CMAKE_ARGC})
  set(argument "${CMAKE_ARGV${index}}")
  if(argument STREQUAL "--")
    set(take TRUE)
  elseif(take AND NOT argument STREQUAL "")
    get_filename_component(name "${argument}" NAME)
    file(READ "${argument}" hex HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${hex}")
    string(REGEX REPLACE "('[^']*','[^']*','[^']*','[^']*','[^']*','[^']*','[^']*','[^']*','[^']*','[^']*','[^']*','[^']*',)"
           "\\1\n    " bytes "${bytes}")
    string(MAKE_C_IDENTIFIER "${name}" identifier)
    string(APPEND arrays "constexpr char ${identifier}[] = {\n    ${bytes}\n};\n\n")
    string(APPEND names "    BuiltinFile{\"${name}\", {${identifier}, sizeof ${identifier}}},\n")
  endif()
endforeach()

file(WRITE "${OUTPUT}" "// Made from common/webhook/recipes at build time.
#include <array>

#include \"common/webhook/recipe_file/recipe_set.hpp\"

namespace sluice::webhook {

namespace {

${arrays}constexpr std::array files{
${names}};

}  // namespace

std::span<const BuiltinFile> builtin_files() noexcept { return files; }

}  // namespace sluice::webhook
")
