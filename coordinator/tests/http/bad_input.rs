//! Everything that can be wrong with a request: each a problem body that says what, never more.

use crate::server::{Http, small};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_not_there_is_404_however_oddly_it_is_named() {
    let http = Http::start().await;
    http.create(&small("name = \"one\"\nseed = 7", 1)).await;
    http.play_all().await;
    let long = format!("/api/v1/runs/{}", "x".repeat(4000));
    for path in [
        "/nothing",
        "/api/v1/",
        "/api/v2/runs",
        "/api/v1/runs/",
        "/api/v1/runs/nobody",
        "/api/v1/runs/nobody/spec",
        "/api/v1/runs/nobody/report",
        "/api/v1/runs/nobody/leaderboard",
        "/api/v1/runs/nobody/generations",
        "/api/v1/runs/nobody/generations/1/games/0",
        "/api/v1/runs/nobody/individuals/1",
        "/api/v1/runs/ONE",
        "/api/v1/runs/one%20",
        "/api/v1/runs/%2e%2e%2fone",
        "/api/v1/runs/one%00",
        "/api/v1/runs/%E2%98%83",
        "/api/v1/runs/'; DROP TABLE runs; --",
        "/api/v1/runs/%27%3B%20DROP%20TABLE%20runs%3B--",
        "/api/v1/runs/one/generations/0",
        "/api/v1/runs/one/generations/2",
        "/api/v1/runs/one/generations/-1",
        "/api/v1/runs/one/generations/+1",
        "/api/v1/runs/one/generations/01",
        "/api/v1/runs/one/generations/1.0",
        "/api/v1/runs/one/generations/Latest",
        "/api/v1/runs/one/generations/2147483648",
        "/api/v1/runs/one/generations/4294967297",
        "/api/v1/runs/one/generations/99999999999999999999999999",
        "/api/v1/runs/one/generations/%D9%A1",
        "/api/v1/runs/one/generations/2/leaderboard",
        "/api/v1/runs/one/generations/1/games/90",
        "/api/v1/runs/one/generations/1/games/-1",
        "/api/v1/runs/one/generations/1/games/18446744073709551616",
        "/api/v1/runs/one/generations/1/games/18446744073709551615",
        "/api/v1/runs/one/generations/1/games/x",
        "/api/v1/runs/one/individuals/0",
        "/api/v1/runs/one/individuals/9223372036854775808",
        "/api/v1/runs/one/individuals/99999999999999999999",
        "/api/v1/runs/one/individuals/1e3",
        &long,
    ] {
        let problem = http.get(path).await.problem(404);
        assert!(problem["detail"].as_str().unwrap().len() < 300, "{problem}");
    }
    for action in ["pause", "resume", "stop"] {
        http.post(&format!("/api/v1/runs/nobody/{action}")).await.problem(404);
        http.post(&format!("/api/v1/runs/ONE/{action}")).await.problem(404);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_path_that_is_no_text_is_malformed() {
    let http = Http::start().await;
    for path in ["/api/v1/runs/%FF", "/api/v1/runs/%C3%28/spec", "/api/v1/runs/one/generations/%80"] {
        http.get(path).await.problem(400);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn other_methods_are_405_and_told_which_there_are() {
    let http = Http::start().await;
    for (method, path, allowed) in [
        ("DELETE", "/api/v1/runs", "POST"),
        ("PUT", "/api/v1/runs/one", "GET"),
        ("GET", "/api/v1/runs/one/pause", "POST"),
        ("POST", "/api/v1/workers", "GET"),
        ("PATCH", "/", "GET"),
        ("BREW", "/api/v1/runs/one/generations/1/games/0", "GET"),
    ] {
        let answer = http.send(method, path, &[], "").await;
        answer.problem(405);
        assert!(answer.header("allow").contains(allowed), "{method} {path}: {answer:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_wrong_parameter_is_named() {
    let http = Http::start().await;
    http.create(&small("name = \"one\"\nseed = 7", 1)).await;
    http.play_all().await;
    let board = "/api/v1/runs/one/leaderboard";
    for (path, fields) in [
        (format!("{board}?limit=0&offset=-1&sort=best&order=up&format=xml&page=2"), 6),
        (format!("{board}?limit=10001"), 1),
        (format!("{board}?limit=99999999999999999999"), 1),
        (format!("{board}?offset=9223372036854775808"), 1),
        (format!("{board}?limit=5&limit=6"), 1),
        (format!("{board}?limit="), 1),
        (format!("{board}?limit=%31%30&limit=1;2"), 2),
        (format!("{board}?generation=0"), 1),
        (format!("{board}?%00=1"), 1),
        (format!("{board}?sort=rank;drop"), 1),
        ("/api/v1/runs?state=running".to_owned(), 1),
        ("/api/v1/runs?limit=1001".to_owned(), 1),
        ("/api/v1/runs/one?x".to_owned(), 1),
        ("/api/v1/runs/one/spec?format=toml".to_owned(), 1),
        ("/api/v1/runs/one/report?x=1".to_owned(), 1),
        ("/api/v1/runs/one/generations?order=random".to_owned(), 1),
        ("/api/v1/runs/one/generations/1?x=1".to_owned(), 1),
        ("/api/v1/runs/one/generations/1/games/0?format=sgf".to_owned(), 1),
        ("/api/v1/runs/one/individuals/1?limit=x".to_owned(), 1),
        ("/api/v1/workers?limit=x".to_owned(), 1),
    ] {
        let problem = http.get(&path).await.problem(400);
        let errors = problem["errors"].as_array().unwrap();
        assert!(errors.len() == fields || path.contains("%31"), "{path}: {problem}");
        assert!(errors.iter().all(|error| error["field"].is_string() && error["message"].is_string()), "{problem}");
    }
    let many = vec!["a=1"; 2000].join("&");
    let problem = http.get(&format!("{board}?{many}")).await.problem(400);
    assert!(problem["errors"].as_array().unwrap().len() <= 100);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bodies_that_are_no_spec_are_refused_and_nothing_is_written() {
    let http = Http::start().await;
    let toml = [("content-type", "application/toml")];
    let json = [("content-type", "application/json")];
    let deep_toml = format!("a = {}{}", "[".repeat(50_000), "]".repeat(50_000));
    let deep_json = "[".repeat(500_000);
    type Headers<'a> = &'a [(&'a str, &'a str)];
    let cases: [(Headers<'_>, Vec<u8>, u16); 18] = [
        (&[], small("", 1).into(), 415),
        (&[("content-type", "text/plain")], small("", 1).into(), 415),
        (&[("content-type", "application/x-www-form-urlencoded")], b"a=b".to_vec(), 415),
        (&[("content-type", "multipart/form-data; boundary=x")], b"--x--".to_vec(), 415),
        (&toml, Vec::new(), 422),
        (&json, Vec::new(), 422),
        (&json, b"null".to_vec(), 422),
        (&json, b"[]".to_vec(), 422),
        (&json, b"{\"seed\": 1e400}".to_vec(), 422),
        (&json, small("", 1).into(), 422),
        (&toml, b"{}".to_vec(), 422),
        (&toml, b"seed = 1\nseed = 1".to_vec(), 422),
        (&toml, vec![0xFF; 1000], 422),
        (&toml, vec![0; 1000], 422),
        (&toml, deep_toml.into(), 422),
        (&json, deep_json.into(), 422),
        (&toml, vec![b'#'; (1 << 20) + 1], 413),
        (&json, vec![b' '; 3 << 20], 413),
    ];
    for (headers, body, status) in cases {
        let shown = String::from_utf8_lossy(&body[..body.len().min(40)]).into_owned();
        let answer = http.send("POST", "/api/v1/runs", headers, body).await;
        assert_eq!(answer.status, status, "{headers:?} {shown:?}: {answer:?}");
        let problem = answer.problem(status);
        assert!(answer.body.len() < 40_000, "{} bytes", answer.body.len());
        assert!(!problem["detail"].as_str().unwrap().contains('\u{0}'));
    }
    let exactly = format!("{}#{}", small("seed = 1", 1), "x".repeat((1 << 20) - small("seed = 1", 1).len() - 1));
    assert_eq!(http.send("POST", "/api/v1/runs", &toml, exactly).await.status, 201, "a mebibyte is allowed");
    assert_eq!(http.get("/api/v1/runs").await.header("x-total-count"), "1");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_spec_that_names_a_file_of_the_server_is_refused() {
    let http = Http::start().await;
    let toml = "stop.games = 1\npopulation.start = { players_file = \"/etc/passwd\" }\ntournament.openings = { lines_file = \"/etc/passwd\" }";
    let problem = http.launch(toml).await.problem(422);
    assert_eq!(problem["errors"].as_array().unwrap().len(), 2);
    assert!(!problem.to_string().contains("root:"));
}
