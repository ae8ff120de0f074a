//! Whom the server runs as. Postgres refuses to run as root, so root hands it to another account.

use std::ffi::{CStr, CString};
use std::os::unix::process::CommandExt;
use std::process::Command;

use super::PostgresError;

/// An account that server processes run as.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Account {
    pub uid: u32,
    pub gid: u32,
    pub name: String,
}

impl Account {
    /// Makes a command run as this account.
    pub fn run(&self, command: &mut Command) {
        command.uid(self.uid).gid(self.gid);
    }
}

/// Whether this program runs as root.
pub(super) fn we_are_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// The account for a server started by root: the cluster's owner when there is a cluster, so that
/// it can be read, else `postgres`, else `nobody`.
pub(super) fn for_root(owner: Option<(u32, u32)>) -> Result<Account, PostgresError> {
    match owner {
        Some((uid, gid)) => Ok(Account { uid, gid, name: format!("the user with id {uid}") }),
        None => lookup("postgres").or_else(|| lookup("nobody")).ok_or(PostgresError::NoAccount),
    }
}

/// Finds an account by name, wherever this system keeps them.
fn lookup(name: &str) -> Option<Account> {
    let wanted = CString::new(name).ok()?;
    let mut buffer = vec![0u8; 16 << 10];
    // SAFETY: passwd is a plain C record for which all-zero bytes are a valid value.
    let mut record: libc::passwd = unsafe { std::mem::zeroed() };
    let mut found: *mut libc::passwd = std::ptr::null_mut();
    // SAFETY: every pointer refers to a live local, and the buffer's length is the one given.
    let status = unsafe {
        libc::getpwnam_r(wanted.as_ptr(), &raw mut record, buffer.as_mut_ptr().cast(), buffer.len(), &raw mut found)
    };
    if status != 0 || found.is_null() || record.pw_uid == 0 {
        return None;
    }
    // SAFETY: on success pw_name points to a terminated string inside the buffer, which is alive.
    let name = unsafe { CStr::from_ptr(record.pw_name) }.to_string_lossy().into_owned();
    Some(Account { uid: record.pw_uid, gid: record.pw_gid, name })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_is_found_by_name_and_root_is_never_one() {
        assert_eq!(lookup("nobody").map(|account| account.name), Some("nobody".into()));
        assert_eq!(lookup("root"), None);
        assert_eq!(lookup("no such user"), None);
    }

    #[test]
    fn the_owner_of_a_cluster_goes_before_the_usual_accounts() {
        assert_eq!(for_root(Some((1234, 99))).unwrap().uid, 1234);
        assert_ne!(for_root(None).unwrap().uid, 0);
    }
}
