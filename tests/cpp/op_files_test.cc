// tools/amalgam_operators.txt: which source file defines which operators, for tools/amalgamate.py, which has no compiler.
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "check.h"
#include "op/op.h"

using namespace mixgrad;

TEST(op_files_are_listed_for_single_files) {
  std::map<std::string, std::set<std::string>> files;
  for (const Op* op : all_ops()) {
    if (op->name.rfind("_test_", 0) == 0) continue;  // of this program
    const std::string file = op->file;
    std::set<std::string>& names = files[file.substr(file.rfind("/cpp/") + 1)];
    names.insert(op->name);
    names.insert(op->aliases.begin(), op->aliases.end());
  }
  std::string table;
  for (const auto& [file, names] : files) {
    table += file + ":";
    for (const std::string& name : names) table += " " + name;
    table += "\n";
  }
  const std::string root = PROJECT_SOURCE;
  std::ifstream listed(root + "/tools/amalgam_operators.txt");
  const std::string text{std::istreambuf_iterator<char>(listed), {}};
  if (text == table) return;
  std::ofstream(root + "/build/amalgam_operators.txt") << table;
  throw check::Failed{"operators have moved: copy build/amalgam_operators.txt to tools/"};
}
