//! The file of a store before SQLite opens it: only its owner may read it, and only one server may use it.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use thiserror::Error;

/// How long a server waits for another that is just ending.
const POLL_INTERVAL: Duration = Duration::from_secs(3);

/// Why a file cannot be used as a store.
#[derive(Debug, Error)]
pub enum FileError {
    /// Another server uses it.
    #[error(
        "{}: another server uses this store; end that one, or name another file with --store", .0.display()
    )]
    InUse(PathBuf),
    /// It cannot be made, opened or locked.
    #[error("{path}: {error}", path = .0.display(), error = .1)]
    Io(PathBuf, std::io::Error),
}

/// A path beside another: the same name with something after it.
pub fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    name.into()
}

/// Makes a file that only its owner may read, or takes the rights of others away from one that is there.
fn private(path: &Path) -> Result<File, FileError> {
    let failed = |error| FileError::Io(path.to_path_buf(), error);
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(path).map_err(failed)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = file.metadata().map_err(failed)?.permissions().mode();
        if mode & 0o077 != 0 {
            let own = std::fs::Permissions::from_mode(mode & 0o700);
            file.set_permissions(own).map_err(failed)?;
        }
    }
    Ok(file)
}

/// Holds a store until it is dropped; the system drops it with a process that was killed.
pub struct Lock(#[expect(dead_code, reason = "the lock lasts for as long as the file is open")] File);

/// Makes the files of a store private and takes the store for this server alone.
///
/// SQLite makes its own files beside the store with the rights of the store.
pub fn take(path: &Path) -> Result<Lock, FileError> {
    drop(private(path)?);
    for end in ["-wal", "-shm"] {
        let log = beside(path, end);
        if log.exists() {
            drop(private(&log)?);
        }
    }
    let own = beside(path, "-lock");
    let file = private(&own)?;
    let start = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(Lock(file)),
            Err(TryLockError::WouldBlock) if start.elapsed() < POLL_INTERVAL => {
                std::thread::sleep(Duration::from_millis(20));
            }
            Err(TryLockError::WouldBlock) => return Err(FileError::InUse(path.to_path_buf())),
            Err(TryLockError::Error(error)) => return Err(FileError::Io(own, error)),
        }
    }
}
