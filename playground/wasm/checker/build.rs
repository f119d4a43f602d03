//! Two files of the grammar's C have a function of one header each.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-link-arg-cdylib=--allow-multiple-definition");
}
