/* Leaves with code 7 after one Python interpreter or two have come and gone. Arguments: how many, the code they run. */
#include <Python.h>

int main(int argc, char** argv) {
  const int count = argc == 3 ? argv[1][0] - '0' : 0;
  int i;
  for (i = 0; i < count; ++i) {
    Py_Initialize();
    if (PyRun_SimpleString(argv[2]) != 0) return 90;
    if (Py_FinalizeEx() != 0) return 91;
  }
  return 7;
}
