//! What can be read of a run: generations, leaderboards, lives, workers.

use crate::server::{Http, small};
use serde_json::{Value, json};

const RUN: &str = "/api/v1/runs/one";

/// A finished run of three generations.
async fn finished() -> Http {
    let http = Http::start().await;
    http.create(&small("name = \"one\"\nseed = 7", 3)).await;
    http.play_all().await;
    http
}

fn column(list: &Value, field: &str) -> Vec<f64> {
    list.as_array().unwrap().iter().map(|row| row[field].as_f64().unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_finished_run_tells_its_end_and_its_generations() {
    let http = finished().await;
    let run = http.read(RUN).await;
    assert_eq!(
        (&run["state"], &run["generation"], &run["generations_finished"]),
        (&json!("finished"), &json!(3), &json!(3))
    );
    assert_eq!((&run["games_recorded"], &run["games_per_second"]), (&json!(270), &Value::Null));
    assert!(run["ended_at"].as_str().unwrap().ends_with('Z'));
    assert_eq!(http.read("/api/v1/runs").await[0]["best"], run["best"]);

    let generations = http.read(&format!("{RUN}/generations")).await;
    assert_eq!(column(&generations, "number"), [1.0, 2.0, 3.0]);
    assert_eq!(column(&generations, "games"), [90.0; 3]);
    for generation in generations.as_array().unwrap() {
        let fingerprint = generation["fingerprint"].as_str().unwrap();
        assert!(fingerprint.len() == 64 && fingerprint.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let number = &generation["number"];
        let board = http.read(&format!("{RUN}/generations/{number}/leaderboard?limit=1")).await;
        let best = &board["entries"][0];
        assert_eq!(
            (&generation["best"]["player"], &generation["best"]["elo"], &generation["best"]["number"]),
            (&best["player"], &best["elo"], &best["number"])
        );
        assert_eq!(board["fingerprint"], fingerprint);
        let one = http.read(&format!("{RUN}/generations/{number}")).await;
        assert_eq!(
            (&one["done"], &one["scheduled"], &one["leased"], &one["waiting"]),
            (&json!(90), &json!(90), &json!(0), &json!(0))
        );
    }
    assert_eq!(http.read(&format!("{RUN}/generations/latest")).await["number"], 3);
    assert_eq!(run["best"]["player"], generations[2]["best"]["player"]);
    let latest_first = http.read(&format!("{RUN}/generations?order=desc&limit=2")).await;
    assert_eq!(column(&latest_first, "number"), [3.0, 2.0]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_leaderboard_accounts_for_every_game() {
    let http = finished().await;
    let board = http.read(&format!("{RUN}/generations/2/leaderboard")).await;
    let entries = &board["entries"];
    assert_eq!((&board["run"], &board["generation"], &board["total"]), (&json!("one"), &json!(2), &json!(10)));
    assert_eq!(column(entries, "rank"), (1..=10).map(f64::from).collect::<Vec<_>>());
    let sum = |field| column(entries, field).iter().sum::<f64>();
    assert_eq!(sum("wins"), sum("losses"));
    assert_eq!(sum("wins") + sum("draws") + sum("losses"), 180.0);
    assert_eq!(sum("points"), 90.0);
    assert!(column(entries, "points").is_sorted_by(|one, next| one >= next), "new specs select by points");
    let first = &entries[0];
    let genes = first["chromosome"].as_str().unwrap();
    assert_eq!(first["player"], format!("oe_fmc_{}_{genes}", first["birth"]));
    assert_eq!(first["nickname"].as_str().unwrap().len(), 6);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_leaderboard_is_sorted_by_any_column_both_ways() {
    let http = finished().await;
    for (sort, field, descending) in [
        ("rank", "rank", false),
        ("elo", "elo", true),
        ("points", "points", true),
        ("wins", "wins", true),
        ("draws", "draws", true),
        ("losses", "losses", false),
        ("birth", "birth", false),
        ("number", "number", false),
    ] {
        for (order, descending) in [("", descending), ("&order=asc", false), ("&order=desc", true)] {
            let board = http.read(&format!("{RUN}/leaderboard?sort={sort}{order}")).await;
            let values = column(&board["entries"], field);
            assert_eq!(values.len(), 10);
            let sorted = values.is_sorted_by(|one, next| if descending { one >= next } else { one <= next });
            assert!(sorted, "{sort}{order}: {values:?}");
        }
    }
    let gains = http.read(&format!("{RUN}/leaderboard?sort=gain")).await;
    let gained: Vec<_> = gains["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["elo"].as_f64().unwrap() - entry["elo_before"].as_f64().unwrap())
        .collect();
    assert!(gained.is_sorted_by(|one, next| one >= next), "{gained:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_follow_each_other_without_gap_or_repetition() {
    let http = finished().await;
    let whole = http.read(&format!("{RUN}/leaderboard?sort=wins")).await;
    let mut path = format!("{RUN}/leaderboard?sort=wins&limit=3");
    let mut pieces = Vec::new();
    loop {
        let answer = http.get(&path).await;
        assert_eq!(answer.header("x-total-count"), "10");
        pieces.extend(answer.json()["entries"].as_array().unwrap().clone());
        match answer.header("link").strip_prefix('<').and_then(|link| link.split_once(">; rel=\"next\"")) {
            Some((next, "")) => next.clone_into(&mut path),
            _ => break,
        }
    }
    assert_eq!(Value::from(pieces), whole["entries"]);
    let beyond = http.read(&format!("{RUN}/leaderboard?offset=9223372036854775807")).await;
    assert_eq!((&beyond["entries"], &beyond["total"]), (&json!([]), &json!(10)));
    let answer = http.get("/api/v1/runs?limit=1&offset=5").await;
    assert_eq!((answer.json(), answer.header("x-total-count"), answer.header("link")), (json!([]), "1", ""));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_leaderboard_is_csv_for_whoever_asks() {
    let http = finished().await;
    let path = format!("{RUN}/generations/3/leaderboard");
    let by_accept = http.send("GET", &path, &[("accept", "text/csv, application/json;q=0.5")], "").await;
    let by_format = http.get(&format!("{path}?format=csv")).await;
    assert_eq!(by_accept.body, by_format.body);
    assert_eq!(by_accept.header("content-type"), "text/csv; charset=utf-8; header=present");
    assert_eq!(by_accept.header("vary"), "accept");
    let lines: Vec<_> = by_format.body.split("\r\n").collect();
    assert_eq!(lines.len(), 12, "a head, ten rows and an end");
    assert!(lines[0].starts_with("rank,player,nickname,number,"));
    let json = http.read(&path).await;
    for (line, entry) in lines[1..11].iter().zip(json["entries"].as_array().unwrap()) {
        let cells: Vec<_> = line.split(',').collect();
        assert_eq!(cells[0], entry["rank"].to_string());
        assert_eq!(cells[1], entry["player"].as_str().unwrap());
        assert_eq!(cells[11].parse::<f64>().unwrap().to_bits(), entry["elo"].as_f64().unwrap().to_bits());
    }
    let forced = http.send("GET", &format!("{path}?format=json"), &[("accept", "text/csv")], "").await;
    assert_eq!(forced.json(), json);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_cannot_change_is_not_sent_twice() {
    let http = finished().await;
    let path = format!("{RUN}/leaderboard");
    let first = http.get(&path).await;
    let tag = first.header("etag");
    assert!(tag.starts_with('"') && tag.ends_with('"'));
    for known in [tag.to_owned(), format!("\"x\", W/{tag}")] {
        let again = http.send("GET", &path, &[("if-none-match", &known)], "").await;
        assert_eq!((again.status, again.body.as_str(), again.header("etag")), (304, "", tag));
    }
    let others = [
        format!("{path}?generation=2"),
        format!("{path}?limit=1"),
        format!("{path}?format=csv"),
        format!("{path}?sort=elo"),
    ];
    for other in others {
        let answer = http.send("GET", &other, &[("if-none-match", tag)], "").await;
        assert_eq!(answer.status, 200, "{other}");
        assert_ne!(answer.header("etag"), tag);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_individual_has_a_life_parents_and_children() {
    let http = finished().await;
    let board = http.read(&format!("{RUN}/generations/1/leaderboard")).await;
    let number = &board["entries"][0]["number"];
    let one = http.read(&format!("{RUN}/individuals/{number}")).await;
    assert_eq!((&one["origin"], &one["birth"], &one["parents"]), (&json!("random"), &json!(1), &json!([])));
    assert_eq!(one["player"], board["entries"][0]["player"]);
    assert_eq!(one["generations"][0]["elo"], board["entries"][0]["elo"]);
    let life = &one["generations"];
    assert_eq!(one["generations_played"], life.as_array().unwrap().len());
    for field in ["wins", "draws", "losses"] {
        assert_eq!(one[field].as_f64().unwrap(), column(life, field).iter().sum::<f64>(), "{field}");
    }
    let children = one["children"].as_array().unwrap();
    assert!(!children.is_empty(), "the best of a generation has children");
    for child in children {
        let child = http.read(&format!("{RUN}/individuals/{child}")).await;
        assert!(child["parents"].as_array().unwrap().contains(number), "{child}");
        assert!(child["birth"].as_u64().unwrap() > 1);
    }
    let paged = http.read(&format!("{RUN}/individuals/{number}?limit=1&offset=1")).await;
    assert_eq!(paged["generations"].as_array().unwrap().first(), life.as_array().unwrap().get(1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_leaderboard_comes_with_the_last_game() {
    let http = Http::start().await;
    http.create(&small("name = \"one\"\nseed = 7", 3)).await;
    let early = http.get(&format!("{RUN}/generations/1/leaderboard")).await.problem(404);
    assert!(early["detail"].as_str().unwrap().contains("still being played"), "{early}");
    let latest = http.get(&format!("{RUN}/leaderboard")).await.problem(404);
    assert!(latest["detail"].as_str().unwrap().contains("no generation of this run is over yet"), "{latest}");
    let generations = http.read(&format!("{RUN}/generations")).await;
    assert_eq!((&generations[0]["fingerprint"], &generations[0]["best"]), (&Value::Null, &Value::Null));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn workers_are_listed_with_what_they_did() {
    let http = finished().await;
    let workers = http.read("/api/v1/workers").await;
    let worker = &workers[0];
    assert_eq!((&worker["name"], &worker["threads"], &worker["connected"]), (&json!("=test"), &json!(2), &json!(true)));
    assert_eq!((&worker["games_recorded"], &worker["leases"]), (&json!(270), &json!(0)));
    assert_eq!(worker["games"], json!(["othello"]));
    assert!(worker["silent_seconds"].as_f64().unwrap() >= 0.0);
    assert_eq!(http.read("/api/v1/workers?offset=1").await, json!([]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_door_says_what_this_is() {
    let http = Http::start().await;
    let page = http.get("/").await;
    assert_eq!((page.status, page.header("content-type")), (200, "text/html; charset=utf-8"));
    assert!(page.body.contains("Kembara"));
    let index = http.read("/api/v1").await;
    assert_eq!(index["program"], "kembara");
    for path in ["/api/v1/runs", "/api/v1/workers"] {
        assert!(index["links"].as_object().unwrap().values().any(|link| link == path));
        assert!(page.body.contains(path));
    }
    let head = http.send("HEAD", "/api/v1/runs", &[], "").await;
    assert_eq!((head.status, head.body.as_str()), (200, ""));
}
