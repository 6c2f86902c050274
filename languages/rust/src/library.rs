//! The shared library, opened when a function of the C header is first called: from the folder that MIXGRAD_LIB_DIR names when
//! the program runs, else from the one that the package was built with, else from where the system keeps libraries.

use std::env;
use std::ffi::{CStr, CString};
use std::os::raw::{c_char, c_int, c_void};

extern "C" {
    fn dlopen(path: *const c_char, flags: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
    fn dlerror() -> *const c_char;
}

const RTLD_NOW: c_int = 2;
const NAME: &str = if cfg!(target_os = "macos") { "libmixgrad.dylib" } else { "libmixgrad.so" };

fn open(path: &str) -> Result<*mut c_void, String> {
    let text = CString::new(path).map_err(|error| error.to_string())?;
    unsafe {
        let library = dlopen(text.as_ptr(), RTLD_NOW);
        if library.is_null() {
            return Err(CStr::from_ptr(dlerror()).to_string_lossy().into_owned());
        }
        Ok(library)
    }
}

pub(crate) fn find() -> *mut c_void {
    let mut failures = String::new();
    let folders = [env::var("MIXGRAD_LIB_DIR").ok(), Some(env!("MIXGRAD_BUILT_WITH").into()), None];
    for (i, folder) in folders.iter().enumerate() {
        let path = match folder {
            Some(folder) => format!("{folder}/{NAME}"),
            None if i == 0 => continue,
            None => NAME.into(),
        };
        match open(&path) {
            Ok(library) => return library,
            Err(error) => failures = failures + "\n  " + &error,
        }
    }
    panic!("[mixgrad] {NAME} cannot be opened; set MIXGRAD_LIB_DIR to its folder:{failures}")
}

/// `name` ends with a zero.
pub(crate) fn address(library: *mut c_void, name: &str) -> *mut c_void {
    let found = unsafe { dlsym(library, name.as_ptr().cast()) };
    let version = env!("CARGO_PKG_VERSION");
    assert!(!found.is_null(), "[mixgrad] {NAME} has no {name}; this package is of version {version}");
    found
}

/// Functions of the library under their names, through a table that the first call fills.
macro_rules! functions {
    ($(fn $name:ident($($arg:ident: $type:ty),* $(,)?) $(-> $result:ty)?;)*) => {
        struct Table {
            $($name: unsafe extern "C" fn($($type),*) $(-> $result)?,)*
        }

        fn table() -> &'static Table {
            use std::sync::atomic::{AtomicPtr, Ordering};
            static FILLED: std::sync::Once = std::sync::Once::new();
            static TABLE: AtomicPtr<Table> = AtomicPtr::new(std::ptr::null_mut());
            if TABLE.load(Ordering::Acquire).is_null() {
                FILLED.call_once(|| {
                    let library = crate::library::find();
                    let filled = Table {
                        $($name: unsafe {
                            let address = crate::library::address(library, concat!(stringify!($name), "\0"));
                            std::mem::transmute::<*mut std::os::raw::c_void, unsafe extern "C" fn($($type),*) $(-> $result)?>(
                                address,
                            )
                        },)*
                    };
                    TABLE.store(Box::into_raw(Box::new(filled)), Ordering::Release);
                });
            }
            unsafe { &*TABLE.load(Ordering::Acquire) }
        }

        $(pub unsafe fn $name($($arg: $type),*) $(-> $result)? {
            (table().$name)($($arg),*)
        })*
    };
}
pub(crate) use functions;
