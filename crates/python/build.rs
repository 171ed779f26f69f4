//! Lets a linker that asks for every symbol leave those of Python to the program that loads the
//! library.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
