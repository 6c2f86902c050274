#include "onednn/keep_objects.h"

#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>

namespace mixgrad::onednn {

namespace {

// A shared library in memory.
struct Loaded {
  const void* inside;  // an address in it
  std::uintptr_t base = 0;
  const ElfW(Dyn) * dynamic = nullptr;
  std::uintptr_t sealed = 0, sealed_end = 0;  // what the loader made read-only after it had filled it in
};

int find_loaded(dl_phdr_info* info, std::size_t, void* found) {
  auto* const loaded = static_cast<Loaded*>(found);
  const auto address = reinterpret_cast<std::uintptr_t>(loaded->inside);
  bool inside = false;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& part = info->dlpi_phdr[i];
    const std::uintptr_t begin = info->dlpi_addr + part.p_vaddr;
    inside |= part.p_type == PT_LOAD && address >= begin && address - begin < part.p_memsz;
  }
  if (!inside) return 0;
  loaded->base = info->dlpi_addr;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& part = info->dlpi_phdr[i];
    const std::uintptr_t begin = info->dlpi_addr + part.p_vaddr;
    if (part.p_type == PT_DYNAMIC) loaded->dynamic = reinterpret_cast<const ElfW(Dyn)*>(begin);
    if (part.p_type == PT_GNU_RELRO) loaded->sealed = begin, loaded->sealed_end = begin + part.p_memsz;
  }
  return 1;
}

// Stands in for __cxa_atexit, by which compiled code has an object destroyed at exit.
int keep_object(void (*)(void*), void*, void*) { return 0; }

bool redirect(const Loaded& loaded, void** slot) {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto at = reinterpret_cast<std::uintptr_t>(slot);
  void* const pages = reinterpret_cast<void*>(at & ~(page - 1));
  const bool sealed = at >= loaded.sealed && at < (loaded.sealed_end & ~(page - 1));  // whole pages only
  if (sealed && mprotect(pages, page, PROT_READ | PROT_WRITE) != 0) return false;
  *slot = reinterpret_cast<void*>(&keep_object);
  return !sealed || mprotect(pages, page, PROT_READ) == 0;
}

}  // namespace

bool keep_objects_of(const void* address) {
  Loaded loaded;
  loaded.inside = address;
  if (dl_iterate_phdr(find_loaded, &loaded) == 0 || !loaded.dynamic) return false;
  // Some loaders leave addresses relative to where the library lies.
  const auto absolute = [&](ElfW(Addr) at) { return at < loaded.base ? loaded.base + at : at; };
  const ElfW(Sym)* symbols = nullptr;
  const char* names = nullptr;
  std::uintptr_t tables[2] = {0, 0};  // of functions called and of addresses taken
  std::size_t sizes[2] = {0, 0};
  for (const ElfW(Dyn)* entry = loaded.dynamic; entry->d_tag != DT_NULL; ++entry) {
    switch (entry->d_tag) {
      case DT_SYMTAB: symbols = reinterpret_cast<const ElfW(Sym)*>(absolute(entry->d_un.d_ptr)); break;
      case DT_STRTAB: names = reinterpret_cast<const char*>(absolute(entry->d_un.d_ptr)); break;
      case DT_JMPREL: tables[0] = absolute(entry->d_un.d_ptr); break;
      case DT_PLTRELSZ: sizes[0] = entry->d_un.d_val; break;
      case DT_RELA: tables[1] = absolute(entry->d_un.d_ptr); break;
      case DT_RELASZ: sizes[1] = entry->d_un.d_val; break;
      default: break;
    }
  }
  if (!symbols || !names) return false;
  bool kept = false;
  for (int i = 0; i < 2; ++i) {
    const auto* const slots = reinterpret_cast<const ElfW(Rela)*>(tables[i]);
    for (std::size_t k = 0; slots && k < sizes[i] / sizeof(ElfW(Rela)); ++k) {
      const auto symbol = ELF64_R_SYM(slots[k].r_info);
      if (symbol == 0 || std::strcmp(names + symbols[symbol].st_name, "__cxa_atexit") != 0) continue;
      if (!redirect(loaded, reinterpret_cast<void**>(loaded.base + slots[k].r_offset))) return false;
      kept = true;
    }
  }
  return kept;
}

}  // namespace mixgrad::onednn
