# CLI11 comes as headers. Compiled with each file of ours that reads a command line, it was a quarter of the release build.
find_package(CLI11 REQUIRED)
add_library(sluice_cli11 STATIC ${PROJECT_SOURCE_DIR}/cmake/cli11.cpp)
target_compile_definitions(sluice_cli11 PUBLIC CLI11_COMPILE)
target_compile_features(sluice_cli11 PUBLIC cxx_std_23)
target_link_libraries(sluice_cli11 PUBLIC CLI11::CLI11)
add_library(sluice::cli11 ALIAS sluice_cli11)
