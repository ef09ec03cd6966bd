# The standard library is most of what a file of ours costs to compile: it is compiled once for all targets, and once more,
# with GoogleTest, for those of tests. ccache wants -fpch-preprocess and CCACHE_SLOPPINESS=pch_defines,time_macros to work with it.
target_compile_options(sluice_build_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
# A header compiled with it is refused where it is missing; hiredis asks for it, and on 64 bits it changes nothing.
target_compile_definitions(sluice_build_flags INTERFACE _FILE_OFFSET_BITS=64)

function(add_precompiled target)
  add_library(${target} OBJECT ${PROJECT_SOURCE_DIR}/cmake/precompiled.cpp)
  target_link_libraries(${target} PRIVATE sluice_build_flags)
  target_precompile_headers(${target} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/precompiled.hpp ${ARGN})
endfunction()

# Programs are compiled as such (-fPIE) where libraries are not (-fPIC): what was compiled for one is refused by the other.
function(share_precompiled target)
  get_target_property(linked ${target} LINK_LIBRARIES)
  get_target_property(own ${target} PRECOMPILE_HEADERS)
  get_target_property(type ${target} TYPE)
  if(own OR NOT "sluice_build_flags" IN_LIST linked OR (CMAKE_POSITION_INDEPENDENT_CODE AND type STREQUAL EXECUTABLE))
    return()
  endif()
  set(source sluice_precompiled)
  if("GTest::gtest_main" IN_LIST linked)
    set(source sluice_precompiled_tests)
  endif()
  target_precompile_headers(${target} REUSE_FROM ${source})
endfunction()

# Every target of `folder` and below that is compiled with our flags.
function(share_precompiled_below folder)
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    share_precompiled(${target})
  endforeach()
  get_property(folders DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(below IN LISTS folders)
    share_precompiled_below(${below})
  endforeach()
endfunction()
