//! The folder of the Unix socket: private, and short enough for the system's limit.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::PostgresError;
use super::folder::DataFolder;

/// Part of the socket's file name; nothing listens on a network port.
pub(super) const PORT: u16 = 5432;

/// The longest path of a socket, bytes: `sun_path` without its closing zero on Linux. The limit of
/// macOS and the BSDs is 103; taking the smaller one everywhere keeps one rule.
const LONGEST_SOCKET_PATH: usize = if cfg!(target_os = "linux") { 107 } else { 103 };

/// Makes the folder ready and returns its path.
pub(super) fn prepare(data: &DataFolder) -> Result<String, PostgresError> {
    let folder = choose(data.path(), rustix::process::geteuid().as_raw());
    match data.make_private(&folder) {
        Ok(()) => {}
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            let found = folder.symlink_metadata().map_err(PostgresError::io("look at", &folder))?;
            // In /tmp anybody could have made it first.
            if !found.is_dir() || found.uid() != data.server_uid() || found.mode() & 0o077 != 0 {
                return Err(PostgresError::SocketFolder { folder });
            }
        }
        Err(error) => return Err(PostgresError::io("make the folder", &folder)(error)),
    }
    // `choose` returns only paths of plain ASCII.
    Ok(folder.to_string_lossy().into_owned())
}

/// `socket/` in the data folder, which no cleaner of temporary files touches; where that path is too
/// long or odd (it has to pass through a list and a URL), a folder in /tmp with a name of its own.
fn choose(data: &Path, uid: u32) -> PathBuf {
    let inside = data.join("socket");
    if fits(&inside) {
        return inside;
    }
    let hash = blake3::hash(data.as_os_str().as_encoded_bytes()).to_hex();
    Path::new("/tmp").join(format!("kembara-{uid}-{}", &hash[..16]))
}

fn fits(folder: &Path) -> bool {
    let bytes = folder.as_os_str().as_encoded_bytes();
    let plain = bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || b"/._-".contains(byte));
    plain && bytes.len() + format!("/.s.PGSQL.{PORT}").len() <= LONGEST_SOCKET_PATH
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_path_keeps_the_socket_beside_its_data() {
        assert_eq!(choose(Path::new("/var/lib/kembara"), 0), Path::new("/var/lib/kembara/socket"));
    }

    #[test]
    fn the_last_path_that_fits_has_107_bytes() {
        let rest = "/socket/.s.PGSQL.5432".len();
        let path = |length: usize| PathBuf::from(format!("/{}", "d".repeat(length - rest - 1)));
        assert!(choose(&path(LONGEST_SOCKET_PATH), 7).ends_with("socket"));
        let outside = choose(&path(LONGEST_SOCKET_PATH + 1), 7);
        assert!(outside.starts_with("/tmp") && fits(&outside), "{}", outside.display());
    }

    #[test]
    fn an_odd_path_moves_the_socket_and_two_of_them_never_meet() {
        let (one, two) = (choose(Path::new("/a b"), 7), choose(Path::new("/a,b"), 7));
        assert!(one.starts_with("/tmp") && two.starts_with("/tmp"));
        assert_ne!(one, two);
    }
}
