# SPDX-License-Identifier: Apache-2.0
# cmake -DPAGES=FOLDER -DOUT=FILE.cpp -P EmbedPages.cmake: the pages HWnnnn.md of a folder as one table in C++.
file(GLOB pages "${PAGES}/HW*.md")
list(SORT pages)
set(table "")
foreach(page IN LISTS pages)
  get_filename_component(code "${page}" NAME_WE)
  string(SUBSTRING "${code}" 2 -1 number)
  string(REGEX REPLACE "^0+" "" number "${number}")
  file(READ "${page}" text)
  string(APPEND table "    {static_cast<DiagnosticCode>(${number}), R\"page~(${text})page~\"},\n")
endforeach()
file(WRITE "${OUT}" "// Made from docs/diagnostics by cmake/EmbedPages.cmake.
#include \"lang/diagnostic_pages.h\"

namespace hellwig {

const std::vector<DiagnosticPage>& diagnosticPages() {
  static const std::vector<DiagnosticPage> pages = {
${table}  };
  return pages;
}

} // namespace hellwig
")
