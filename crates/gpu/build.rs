//! Compiles the kernels with nvcc if the feature `cuda` is enabled.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/block.cu");
    #[cfg(feature = "cuda")]
    kernels();
}

#[cfg(feature = "cuda")]
fn kernels() {
    let written = cudaforge::KernelBuilder::new()
        .source_files(["src/block.cu"])
        .arg("-std=c++17")
        .arg("-O3")
        .build_ptx()
        .and_then(|kernels| {
            let out = std::env::var_os("OUT_DIR").unwrap_or_default();
            kernels.write(std::path::Path::new(&out).join("ptx.rs"))
        });
    if let Err(error) = written {
        println!("cargo::error=kernels for NVIDIA GPUs: {error}");
    }
}
