# What every target of ours is compiled with. -Werror comes from presets, never from here.
add_library(sluice_build_flags INTERFACE)
target_compile_features(sluice_build_flags INTERFACE cxx_std_23)
target_include_directories(sluice_build_flags INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(sluice_build_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast
  -Wnon-virtual-dtor -Woverloaded-virtual -Wimplicit-fallthrough -Wformat=2)
if(SLUICE_FAILPOINTS)
  target_compile_definitions(sluice_build_flags INTERFACE SLUICE_FAILPOINTS)
endif()
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
