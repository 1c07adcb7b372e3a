//! Compiles `parlor/**/*.proto` with protox, so that no protoc is needed.

use std::path::{Path, PathBuf};
use std::{env, error::Error, fs};

use prost::Message;

fn main() -> Result<(), Box<dyn Error>> {
    let mut files = Vec::new();
    collect(Path::new("parlor"), &mut files)?;
    files.sort();
    let descriptors = protox::compile(&files, ["."])?;
    let out = PathBuf::from(env::var("OUT_DIR")?);
    fs::write(out.join("parlor_descriptor.bin"), descriptors.encode_to_vec())?;
    tonic_prost_build::configure()
        .bytes(".")
        .btree_map(".")
        // A generated `connect` helper would collide with `SessionService.Connect`.
        .build_transport(false)
        .compile_fds(descriptors)?;
    println!("cargo:rerun-if-changed=parlor");
    Ok(())
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "proto") {
            files.push(path);
        }
    }
    Ok(())
}
