//! Addresses, databases and specs that cannot be used: one line, a code that is not 0, nothing half
//! done.

use crate::support::{kembara, ran, run};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};

/// Somebody who answers everything with these bytes.
fn stranger(answer: &'static [u8]) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for connection in listener.incoming() {
            let mut connection = connection.unwrap();
            let _ = connection.read(&mut [0; 4096]);
            let _ = connection.write_all(answer);
        }
    });
    address
}

/// An address where nobody listens.
fn nobody() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}

fn spec(text: &str) -> tempfile::NamedTempFile {
    let mut file = tempfile::Builder::new().prefix("spec").suffix(".toml").tempfile().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    file
}

#[test]
fn an_address_that_is_not_a_coordinator_is_told_from_one_that_does_not_answer() {
    let server = format!("http://{}", nobody());
    run(&["run", "list", "--server", &server]).refuses(4, "no coordinator answers at");
    for answer in [
        &b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello"[..],
        b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 14\r\n\r\n{\"other\":true}",
        b"HTTP/1.1 404 Not Found\r\ncontent-length: 3\r\n\r\nno.",
        b"HTTP/1.1 301 Moved\r\nlocation: http://127.0.0.1:9/\r\ncontent-length: 0\r\n\r\n",
        b"SSH-2.0-OpenSSH_9.2\r\n",
        b"",
    ] {
        let server = format!("http://{}", stranger(answer));
        run(&["run", "list", "--server", &server]).refuses(4, "not a coordinator");
        run(&["leaderboard", "a-run", "--server", &server]).refuses(4, "not a coordinator");
    }
}

#[test]
fn what_is_not_an_address_at_all_is_refused_before_anything_is_sent() {
    for server in ["", "localhost", "127.0.0.1:7878", "ftp://127.0.0.1", "http://", "http://a b", "http://h:1/?x=y"] {
        run(&["run", "list", "--server", server]).refuses(2, "is not a coordinator's address");
    }
    run(&["run", "list", "--server", "https://127.0.0.1:1"]).refuses(2, "http only");
    let from_environment = kembara().args(["run", "list"]).env("KEMBARA_SERVER", "nonsense").output().unwrap();
    ran(from_environment).refuses(2, "is not a coordinator's address");
}

#[test]
fn a_token_file_must_hold_a_token() {
    let folder = tempfile::tempdir().unwrap();
    let file = |text: &[u8]| {
        let path = folder.path().join("token");
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let missing = folder.path().join("missing");
    run(&["run", "list", "--token-file", missing.to_str().unwrap()]).refuses(2, "cannot be read");
    for text in [&b""[..], b"two words", b"\xff\xfe", b"a\nb", "d\u{e9}j\u{e0}".as_bytes(), &[b'x'; 5000]] {
        run(&["run", "list", "--token-file", &file(text)]).refuses(2, "token file");
    }
}

#[test]
fn names_of_runs_are_checked_before_anything_is_sent() {
    let server = format!("http://{}", nobody());
    for name in ["", "../etc", "a b", "A", "a/b", "a?b", "\u{e9}", &"x".repeat(65)] {
        for command in ["show", "spec", "watch", "pause", "resume", "stop", "verify"] {
            run(&["run", command, "--server", &server, "--", name]).refuses(2, "is not a run's name");
        }
        run(&["leaderboard", "--server", &server, "--", name]).refuses(2, "is not a run's name");
    }
}

#[test]
fn a_spec_is_checked_whole_before_anything_is_started_or_sent() {
    let good = "genome = \"oe_fmc\"\nstop.generations = 2\n";
    let server = format!("http://{}", nobody());
    for (text, words) in [
        ("", "stop"),
        ("stop.generations = ", "line 1"),
        ("stop.generations = 2\npopulation.size = 1\n", "population.size"),
        ("stop.generations = 2\nbogus = 1\nseed = \"tea\"\n", "bogus"),
        ("stop.generations = 2\nbogus = 1\nseed = \"tea\"\n", "seed"),
        ("stop.generations = 2\nname = \"../../x\"\n", "name"),
        ("stop.generations = 2\ngenome = \"oe_zzz\"\n", "genome"),
        ("stop.generations = 2\npopulation.size = 90000\n", "games"),
    ] {
        let file = spec(text);
        let path = file.path().to_str().unwrap();
        run(&["run", "launch", path, "--server", &server]).refuses(2, words);
        run(&["up", path, "--data-dir", "/nowhere/at/all"]).refuses(2, words);
    }
    let file = spec(good);
    let path = file.path().to_str().unwrap();
    run(&["run", "launch", path, "--server", &server]).refuses(4, "no coordinator answers at");
    run(&["run", "launch", path, "--name", "No!", "--server", &server]).refuses(2, "is not a run's name");
    run(&["run", "launch", path, "--generations", "0", "--server", &server]).refuses(2, "--generations");
    let huge = spec(&"#".repeat(3 << 20));
    run(&["run", "launch", huge.path().to_str().unwrap(), "--server", &server]).refuses(2, "bytes");
    run(&["run", "launch", "/nowhere.toml", "--server", &server]).refuses(2, "/nowhere.toml");
    run(&["run", "launch", "/tmp", "--server", &server]).refuses(2, "not a plain file");
    run(&["up", "--generations", "3"]).refuses(2, "no SPEC is given");
}

#[test]
fn a_port_in_use_ends_coordinator_and_up() {
    let folder = tempfile::tempdir().unwrap();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let listen = taken.local_addr().unwrap().to_string();
    let data = folder.path().to_str().unwrap();
    for command in ["coordinator", "up"] {
        run(&[command, "--listen", &listen, "--data-dir", data]).refuses(1, &listen);
    }
    assert!(!folder.path().join("postgres").exists(), "a database was made although the port is taken");
    run(&["up", "--listen", "0.0.0.0:0", "--data-dir", data]).refuses(1, "--allow-insecure");
}

#[test]
fn a_database_that_is_down_is_told_without_its_password() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    let url = format!("postgres://someone:secret@{}/kembara", nobody());
    let arguments = ["--listen", "127.0.0.1:0", "--data-dir", data];
    for command in ["coordinator", "up"] {
        let ended = ran(kembara().arg(command).args(arguments).env("DATABASE_URL", &url).output().unwrap());
        ended.refuses(1, "database");
        assert!(!ended.err.contains("secret"), "{}", ended.err);
    }
}

#[test]
fn a_data_folder_of_somebody_else_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("thesis.tex"), "years of work").unwrap();
    run(&["up", "--listen", "127.0.0.1:0", "--data-dir", folder.path().to_str().unwrap()]).refuses(1, "folder");
    assert_eq!(folder.path().read_dir().unwrap().count(), 1);
}
