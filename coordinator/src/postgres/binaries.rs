//! Finding the programs `postgres` and `initdb` of an installed PostgreSQL server.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::PostgresError;
use super::folder::DataFolder;

/// The oldest major version of PostgreSQL that Kembara works with.
pub const OLDEST_MAJOR: u32 = 14;

/// One installed PostgreSQL server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Binaries {
    folder: PathBuf,
    major: u32,
}

impl Binaries {
    /// The server that fits the cluster's major version, or the newest one for a new cluster.
    pub fn find(cluster_version: Option<u32>, folder: &DataFolder) -> Result<Self, PostgresError> {
        choose(installed(&candidates()), cluster_version, &folder.cluster())
    }

    pub fn postgres(&self) -> PathBuf {
        self.folder.join("postgres")
    }

    pub fn initdb(&self) -> PathBuf {
        self.folder.join("initdb")
    }

    /// The major version.
    pub fn version(&self) -> u32 {
        self.major
    }
}

fn choose(mut found: Vec<Binaries>, wrote: Option<u32>, cluster: &Path) -> Result<Binaries, PostgresError> {
    found.sort_by(|a, b| b.major.cmp(&a.major).then_with(|| a.folder.cmp(&b.folder)));
    found.dedup_by_key(|one| one.major);
    let Some(newest) = found.first().cloned() else { return Err(PostgresError::NotInstalled) };
    match wrote {
        Some(wrote) => found.iter().find(|one| one.major == wrote).cloned().ok_or_else(|| {
            let installed = found.iter().map(|one| one.major).collect();
            PostgresError::OtherVersion { cluster: cluster.to_owned(), wrote, installed }
        }),
        None if newest.major < OLDEST_MAJOR => {
            Err(PostgresError::TooOld { found: newest.major, folder: newest.folder })
        }
        None => Ok(newest),
    }
}

/// The folders among these that hold a complete server whose version can be read.
fn installed(folders: &[PathBuf]) -> Vec<Binaries> {
    let mut found: Vec<Binaries> = Vec::new();
    for folder in folders {
        // A link in /usr/local/bin leads to the folder where the other programs lie.
        let Ok(program) = folder.join("postgres").canonicalize() else { continue };
        let Some(folder) = program.parent() else { continue };
        if !folder.join("initdb").is_file() || found.iter().any(|one| one.folder == folder) {
            continue;
        }
        if let Some(major) = major_version(&program) {
            found.push(Binaries { folder: folder.to_owned(), major });
        }
    }
    found
}

fn candidates() -> Vec<PathBuf> {
    let mut folders = Vec::new();
    if let Ok(output) = Command::new("pg_config").arg("--bindir").output()
        && output.status.success()
    {
        folders.push(PathBuf::from(String::from_utf8_lossy(&output.stdout).trim()));
    }
    // Debian and Ubuntu; Red Hat's own packages of PostgreSQL; Homebrew on both kinds of Mac.
    folders.extend(children(Path::new("/usr/lib/postgresql"), "", "bin"));
    folders.extend(children(Path::new("/usr"), "pgsql-", "bin"));
    folders.extend(children(Path::new("/opt/homebrew/opt"), "postgresql", "bin"));
    folders.extend(children(Path::new("/usr/local/opt"), "postgresql", "bin"));
    folders.extend(["/usr/local/pgsql/bin", "/usr/bin", "/usr/local/bin"].map(PathBuf::from));
    folders.extend(std::env::var_os("PATH").iter().flat_map(std::env::split_paths));
    folders
}

/// `folder/NAME/inner` for every NAME with this beginning.
fn children(folder: &Path, beginning: &str, inner: &str) -> Vec<PathBuf> {
    let Ok(entries) = folder.read_dir() else { return Vec::new() };
    entries
        .flatten()
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(beginning))
        .map(|entry| entry.path().join(inner))
        .collect()
}

fn major_version(postgres: &Path) -> Option<u32> {
    let output = Command::new(postgres).arg("--version").output().ok()?;
    output.status.success().then(|| parse_version(&String::from_utf8_lossy(&output.stdout)))?
}

/// Reads the major version from a line such as `postgres (PostgreSQL) 16.2 (Debian …)`.
fn parse_version(line: &str) -> Option<u32> {
    let version = line.split("(PostgreSQL)").nth(1)?.trim_start();
    let digits: &str = &version[..version.find(|c: char| !c.is_ascii_digit()).unwrap_or(version.len())];
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(folder: &str, major: u32) -> Binaries {
        Binaries { folder: folder.into(), major }
    }

    #[test]
    fn versions_are_read_from_what_servers_print() {
        assert_eq!(parse_version("postgres (PostgreSQL) 15.14 (Debian 15.14-0+deb12u1)\n"), Some(15));
        assert_eq!(parse_version("postgres (PostgreSQL) 19beta1"), Some(19));
        assert_eq!(parse_version("postgres (PostgreSQL) 9.6.24"), Some(9));
        assert_eq!(parse_version("something else"), None);
        assert_eq!(parse_version("postgres (PostgreSQL) "), None);
    }

    #[test]
    fn a_new_cluster_gets_the_newest_server() {
        let found = vec![at("/a", 14), at("/c", 17), at("/b", 15)];
        assert_eq!(choose(found, None, Path::new("/d")).unwrap(), at("/c", 17));
    }

    #[test]
    fn an_old_cluster_gets_the_server_that_wrote_it() {
        let found = vec![at("/a", 14), at("/c", 17)];
        assert_eq!(choose(found, Some(14), Path::new("/d")).unwrap(), at("/a", 14));
    }

    #[test]
    fn nothing_installed_says_what_to_install() {
        let said = choose(vec![], None, Path::new("/d")).unwrap_err().to_string();
        assert!(said.contains("apt-get install postgresql") && said.contains("DATABASE_URL"), "{said}");
    }

    #[test]
    fn too_old_and_other_versions_are_named() {
        let said = choose(vec![at("/a", 13)], None, Path::new("/d")).unwrap_err().to_string();
        assert!(said.contains("version 13 (/a)") && said.contains("14 or later"), "{said}");
        let said = choose(vec![at("/a", 15)], Some(16), Path::new("/d")).unwrap_err().to_string();
        assert!(said.contains("written by PostgreSQL 16, and only 15 is installed"), "{said}");
    }

    #[test]
    fn a_folder_with_half_a_server_is_passed_over() {
        let folder = std::env::temp_dir().join(format!("kembara-half-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("postgres"), "").unwrap();
        assert_eq!(installed(std::slice::from_ref(&folder)), vec![]);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
