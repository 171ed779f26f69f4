//! Makes the linker accept that Python's symbols are missing from the library. The program that
//! loads the library has them.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
