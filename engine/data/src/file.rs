//! Reading one file of the disk: only what is a file, and no more of it than expected.
//!
//! A name may stand for a pipe, a device or a folder, by itself or through a link. Reading a pipe waits for ever, and some
//! devices never end.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::Path;

/// Files of packages that are larger than this are refused.
pub const LARGEST_FILE: u64 = 64 << 20;
/// Records that are larger than this are refused; the longest games come to a few megabytes.
pub const LARGEST_RECORD: u64 = 64 << 20;

/// Reads a whole file of at most so many bytes. What is not a file, or is larger, is an error that says so.
pub fn read_regular(path: &Path, largest: u64) -> io::Result<Vec<u8>> {
    // Opening a pipe waits until somebody writes, so what it is must be known before.
    expect_file(&std::fs::metadata(path)?, largest)?;
    let file = File::open(path)?;
    let about = file.metadata()?;
    expect_file(&about, largest)?;
    let mut bytes = Vec::with_capacity(usize::try_from(about.len()).unwrap_or(0));
    // It may grow meanwhile.
    file.take(largest + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > largest { Err(too_large(largest)) } else { Ok(bytes) }
}

/// The same for a text.
pub fn read_text(path: &Path, largest: u64) -> io::Result<String> {
    let not_text = |_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8 text");
    String::from_utf8(read_regular(path, largest)?).map_err(not_text)
}

fn expect_file(about: &Metadata, largest: u64) -> io::Result<()> {
    if about.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder, not a file"));
    }
    if !about.is_file() {
        let why = "it is not a file but a pipe, a device or the like";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
    }
    if about.len() > largest { Err(too_large(largest)) } else { Ok(()) }
}

fn too_large(largest: u64) -> io::Error {
    let why = if largest >= 1 << 20 { format!("{} MB", largest >> 20) } else { format!("{largest} bytes") };
    io::Error::new(io::ErrorKind::FileTooLarge, format!("it is larger than {why}"))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn only_files_are_read_and_only_so_much_of_them() {
        let folder = std::env::temp_dir().join(format!("sandtable-file-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("a.toml");
        std::fs::write(&file, b"12345").unwrap();
        assert_eq!(read_regular(&file, 5).unwrap(), b"12345");
        assert_eq!(read_regular(&file, 4).unwrap_err().to_string(), "it is larger than 4 bytes");
        assert_eq!(read_regular(&folder, 5).unwrap_err().to_string(), "it is a folder, not a file");
        std::fs::write(&file, b"\xff").unwrap();
        assert_eq!(read_text(&file, 5).unwrap_err().to_string(), "it is not UTF-8 text");
        #[cfg(unix)]
        {
            let odd = "it is not a file but a pipe, a device or the like";
            let zero = folder.join("zero.toml");
            std::os::unix::fs::symlink("/dev/zero", &zero).unwrap();
            assert_eq!(read_regular(&zero, 5).unwrap_err().to_string(), odd);
            let pipe = folder.join("pipe.toml");
            let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
            assert!(made.success());
            assert_eq!(read_regular(&pipe, 5).unwrap_err().to_string(), odd);
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
