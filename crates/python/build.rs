//! Makes the linker accept a library without the symbols of Python. The program that loads the
//! library provides these symbols.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
