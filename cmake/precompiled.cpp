// Compiled for its precompiled header only, which the other targets take: cmake/precompiled.cmake.
