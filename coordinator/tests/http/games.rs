//! Games played again, and the report of a run that is over.

use crate::server::{Http, small};
use serde_json::{Value, json};
use sqlx::Row;

const GAMES: &str = "/api/v1/runs/one/generations/1/games";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn any_game_is_shown_as_it_was_recorded() {
    let http = Http::start().await;
    http.create(&small("name = \"one\"\nseed = 7", 2)).await;
    let before = http.read(&format!("{GAMES}/0")).await;
    assert_eq!((&before["recorded"], &before["agrees"]), (&Value::Null, &Value::Null), "not played yet");
    http.play_all().await;
    let mut openings = std::collections::BTreeMap::<u64, u32>::new();
    for number in 0..90 {
        let game = http.read(&format!("{GAMES}/{number}")).await;
        assert_eq!(game["agrees"], true, "{game}");
        assert_eq!(game["recorded"], game["result"]);
        assert_ne!(game["first"]["number"], game["second"]["number"]);
        let plies = game["moves"].as_array().unwrap().iter().filter(|action| *action != "pass").count();
        assert_eq!(game["result"]["plies"], plies);
        *openings.entry(game["opening"].as_u64().unwrap()).or_default() += 1;
    }
    assert!(openings.values().all(|games| *games == 2), "each opening is played with both colours: {openings:?}");
    let game = http.read(&format!("{GAMES}/17")).await;
    assert_eq!((&game["first"]["side"], &game["second"]["side"]), (&json!("black"), &json!("white")));
    assert!(game["seed"].as_str().unwrap().parse::<u64>().is_ok());
    let margin = game["result"]["margin"].as_i64().unwrap();
    let winner = [json!("second"), Value::Null, json!("first")][usize::try_from(margin.signum() + 1).unwrap()].clone();
    assert_eq!(game["result"]["winner"], winner);
    let (black, white) = game["score"].as_str().unwrap().split_once('-').unwrap();
    assert_eq!(black.parse::<i64>().unwrap() - white.parse::<i64>().unwrap(), margin);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_is_text_for_whoever_asks() {
    let http = Http::start().await;
    http.create(&small("name = \"one\"\nseed = 7", 1)).await;
    http.play_all().await;
    let text = http.get(&format!("{GAMES}/3?format=text")).await;
    assert_eq!(text.header("content-type"), "text/plain; charset=utf-8");
    assert_eq!(text.body, http.send("GET", &format!("{GAMES}/3"), &[("accept", "text/plain")], "").await.body);
    assert!(text.body.starts_with("run one, generation 1, game 3\nblack   oe_fmc_1_"), "{}", text.body);
    assert!(text.body.contains("as recorded") && text.body.contains("\n1. ") && text.body.contains("a b c d e f g h"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_result_that_was_tampered_with_is_found_out() {
    let http = Http::start().await;
    http.create(&small("name = \"one\"\nseed = 7", 1)).await;
    http.play_all().await;
    let mut connection = http.database.connection().await;
    let row = sqlx::query("SELECT id, first, results FROM batches WHERE generation = 1 ORDER BY first LIMIT 1")
        .fetch_one(&mut connection)
        .await
        .unwrap();
    let mut results: Vec<u8> = row.get("results");
    // Another outcome of the first game, in the same number of bytes.
    results[0] = if results[0].is_multiple_of(3) { results[0] + 1 } else { results[0] - 1 };
    sqlx::query("UPDATE batches SET results = $2 WHERE id = $1")
        .bind(row.get::<i64, _>("id"))
        .bind(results)
        .execute(&mut connection)
        .await
        .unwrap();
    let first = row.get::<i64, _>("first");
    assert_eq!(http.read(&format!("{GAMES}/{first}")).await["agrees"], false);
    assert!(http.get(&format!("{GAMES}/{first}?format=text")).await.body.contains("NOT as recorded"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn searches_nobody_can_wait_for_are_refused_before_they_begin() {
    let http = Http::start().await;
    let toml =
        "name = \"one\"\nseed = 1\ngenome = \"oe_fmc\"\npopulation.size = 4\nplay.depth = 30\nstop.generations = 1";
    http.create(toml).await;
    let problem = http.get(&format!("{GAMES}/0")).await.problem(422);
    assert!(problem["detail"].as_str().unwrap().contains("kembara run verify"), "{problem}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_report_answers_the_authors_question_the_same_way_each_time() {
    let http = Http::start().await;
    http.create(&small("name = \"one\"\nseed = 7", 3)).await;
    let early = http.get("/api/v1/runs/one/report").await.problem(409);
    assert!(early["detail"].as_str().unwrap().contains("when it is over"), "{early}");
    http.play_all().await;
    let report = http.read("/api/v1/runs/one/report").await;
    assert_eq!(
        (&report["state"], &report["generations"], &report["games"]),
        (&json!("finished"), &json!(3), &json!(270))
    );
    let generations = http.read("/api/v1/runs/one/generations").await;
    assert_eq!(report["fingerprint"], generations[2]["fingerprint"]);
    assert_eq!(report["first_champion"]["player"], generations[0]["best"]["player"]);
    assert_eq!(report["last_champion"]["player"], generations[2]["best"]["player"]);
    let duel = &report["duel"];
    let games = duel["games"].as_array().unwrap();
    assert_eq!((&games[0]["side"], &games[1]["side"]), (&json!("black"), &json!("white")));
    let both = games.iter().all(|game| game["outcome"] == "won");
    assert_eq!(duel["wins_with_both_colours"], both);
    let openings = &duel["openings"];
    let sum: u64 = ["wins", "draws", "losses"].iter().map(|field| openings[field].as_u64().unwrap()).sum();
    assert_eq!((sum, &openings["games"], &openings["openings"]), (200, &json!(200), &json!(100)));

    // Another coordinator that never played the duel comes to the same report.
    let again = Http::start().await;
    again.create(&small("name = \"one\"\nseed = 7", 3)).await;
    again.play_all().await;
    let other = again.read("/api/v1/runs/one/report").await;
    for field in ["fingerprint", "first_champion", "last_champion", "duel"] {
        assert_eq!(report[field], other[field], "{field}");
    }
    assert_eq!(http.read("/api/v1/runs/one/report").await, report);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_stopped_early_reports_what_it_finished() {
    let http = Http::start().await;
    http.create(&small("name = \"one\"\nseed = 7", 1000)).await;
    let mut worker = http.worker().await;
    while http.read("/api/v1/runs/one").await["generations_finished"].as_u64() < Some(2) {
        worker.play_some().await;
    }
    http.post("/api/v1/runs/one/stop").await;
    let report = http.read("/api/v1/runs/one/report").await;
    let generations = report["generations"].as_u64().unwrap();
    assert!(generations >= 2);
    assert_eq!((&report["state"], report["games"].as_u64()), (&json!("stopped"), Some(90 * generations)));
    http.create(&small("name = \"two\"\nseed = 7", 1000)).await;
    http.post("/api/v1/runs/two/stop").await;
    let problem = http.get("/api/v1/runs/two/report").await.problem(409);
    assert!(problem["detail"].as_str().unwrap().contains("before a generation was over"), "{problem}");
}
