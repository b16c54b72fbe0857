# Settings that hold for every target, and the rule which folder may use which.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

option(HELLWIG_TESTS "Build the tests" ON)
option(HELLWIG_SANITIZE "Build with the address and undefined-behaviour sanitizers" OFF)
option(HELLWIG_FUZZ "Build the libFuzzer targets (clang only)" OFF)

find_program(HELLWIG_CCACHE ccache)
if(HELLWIG_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${HELLWIG_CCACHE})
endif()

if(HELLWIG_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()
if(HELLWIG_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# The machine alone is compiled with -O3 (runtime/CMakeLists.txt); the rest compiles faster with -O2.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")

# The system headers of LLVM and ANTLR are not ours to mend, so warnings stop at our own sources.
function(hellwig_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
                                           -Werror)
  # GCC 12 takes "(" + std::string for an overlap (its bug 105651).
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
endfunction()

# hellwig_library(NAME folder SOURCES .. USES ..) makes the target of one folder. USES is checked against the
# table of docs/architecture.md, so that an arrow that points the wrong way fails the configuration.
set(HELLWIG_MAY_USE_runtime "")
set(HELLWIG_MAY_USE_lang "")
set(HELLWIG_MAY_USE_compiler "lang;runtime")
set(HELLWIG_MAY_USE_cli "lang;compiler;runtime")
set(HELLWIG_MAY_USE_editor "lang;compiler;runtime")
function(hellwig_library folder)
  cmake_parse_arguments(ARG "" "" "SOURCES;USES" ${ARGN})
  foreach(used IN LISTS ARG_USES)
    if(NOT used IN_LIST HELLWIG_MAY_USE_${folder})
      message(FATAL_ERROR "${folder}/ may not use ${used}/ (docs/architecture.md)")
    endif()
  endforeach()
  add_library(hellwig_${folder} STATIC ${ARG_SOURCES})
  target_include_directories(hellwig_${folder} PUBLIC ${CMAKE_SOURCE_DIR})
  foreach(used IN LISTS ARG_USES)
    target_link_libraries(hellwig_${folder} PUBLIC hellwig_${used})
  endforeach()
  hellwig_warnings(hellwig_${folder})
endfunction()
