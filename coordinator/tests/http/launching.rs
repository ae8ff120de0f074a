//! Launching runs: repeatable, whatever was drawn, and never half done.

use crate::server::{Http, small};
use serde_json::{Value, json};
use std::collections::BTreeSet;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_launched_run_is_there_and_says_what_it_waits_for() {
    let http = Http::start().await;
    let answer = http.launch(&small("name = \"one\"\nseed = 5", 2)).await;
    assert_eq!((answer.status, answer.header("location")), (201, "/api/v1/runs/one"));
    let run = answer.json();
    assert_eq!(run["outcome"], "created");
    for (field, value) in [
        ("name", json!("one")),
        ("state", json!("running")),
        ("game", json!("othello")),
        ("genome", json!("oe_fmc")),
        ("generation", json!(1)),
        ("scheduled", json!(90)),
        ("done", json!(0)),
        ("leased", json!(0)),
        ("waiting", json!(90)),
        ("games_recorded", json!(0)),
        ("generations_finished", json!(0)),
        ("best", Value::Null),
        ("workers", json!(0)),
        ("waiting_for_workers", json!(true)),
        ("seconds_left", Value::Null),
        ("ended_at", Value::Null),
    ] {
        assert_eq!(run[field], value, "{field}");
    }
    let spec = http.read("/api/v1/runs/one/spec").await;
    assert_eq!((&spec["seed"], &spec["population"]), (&json!(5), &json!(10)));
    let _worker = http.worker().await;
    let shown = http.read("/api/v1/runs/one").await;
    assert_eq!(
        (&shown["workers"], &shown["threads"], &shown["waiting_for_workers"]),
        (&json!(1), &json!(2), &json!(false))
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_same_spec_as_json_is_the_same_run() {
    let http = Http::start().await;
    http.create(&small("name = \"one\"\nseed = 5", 2)).await;
    let json = json!({ "name": "one", "seed": 5, "genome": "oe_fmc", "population": { "size": 10 }, "stop": { "generations": 2 } });
    let headers = [("content-type", "application/json; charset=utf-8")];
    let answer = http.send("POST", "/api/v1/runs", &headers, json.to_string()).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(answer.json()["outcome"], "resumed");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_launch_can_be_repeated_though_its_seed_was_drawn() {
    let http = Http::start().await;
    let toml = small("name = \"drawn\"", 1);
    http.create(&toml).await;
    let seed = http.read("/api/v1/runs/drawn/spec").await["seed"].as_u64().unwrap();
    assert!(seed < 1 << 53);
    for _ in 0..3 {
        let again = http.launch(&toml).await;
        assert_eq!((again.status, &again.json()["outcome"]), (200, &json!("resumed")));
    }
    assert_eq!(http.read("/api/v1/runs/drawn/spec").await["seed"], seed);
    assert_eq!(http.read("/api/v1/runs").await.as_array().unwrap().len(), 1);
    http.play_all().await;
    let over = http.launch(&toml).await;
    assert_eq!((over.status, &over.json()["outcome"]), (200, &json!("finished")));
    let same_seed = http.launch(&small(&format!("name = \"drawn\"\nseed = {seed}"), 1)).await;
    assert_eq!(same_seed.status, 200);
    let other_seed = http.launch(&small(&format!("name = \"drawn\"\nseed = {}", seed ^ 1), 1)).await;
    assert_eq!(other_seed.problem(409)["errors"][0]["field"], "seed");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_spec_under_a_taken_name_is_refused_with_every_difference() {
    let http = Http::start().await;
    http.create(&small("name = \"one\"\nseed = 5", 2)).await;
    let other = "name = \"one\"\nseed = 6\ngenome = \"oe_fmc\"\nplay.depth = 2\npopulation.size = 12\nstop.generations = 2\n\
                 tournament.openings = \"start\"";
    let problem = http.launch(other).await.problem(409);
    let fields: BTreeSet<_> =
        problem["errors"].as_array().unwrap().iter().map(|error| error["field"].as_str().unwrap()).collect();
    assert!(fields.is_superset(&BTreeSet::from(["seed", "play.depth", "population.size"])), "{fields:?}");
    let seed = problem["errors"].as_array().unwrap().iter().find(|error| error["field"] == "seed").unwrap();
    assert_eq!((&seed["theirs"], &seed["yours"]), (&json!("5"), &json!("6")));
    assert!(problem["detail"].as_str().unwrap().contains("seed is 5 there and 6 here"), "{problem}");
    assert_eq!(http.read("/api/v1/runs/one/spec").await["seed"], 5);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn runs_without_a_name_get_one_each() {
    let http = Http::start().await;
    let toml = small("seed = 1", 1);
    let (one, two, three) = tokio::join!(http.create(&toml), http.create(&toml), http.create(&toml));
    let names: BTreeSet<_> = [one, two, three].iter().map(|run| run["name"].as_str().unwrap().to_owned()).collect();
    assert_eq!(names.len(), 3);
    for name in &names {
        assert_eq!(http.read(&format!("/api/v1/runs/{name}")).await["state"], "running");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn launches_of_one_name_at_the_same_moment_make_one_run() {
    let http = Http::start().await;
    let toml = small("name = \"crowd\"", 1);
    let launches = (0..8).map(|_| http.launch(&toml));
    let answers = futures::future::join_all(launches).await;
    let created = answers.iter().filter(|answer| answer.status == 201).count();
    let resumed = answers.iter().filter(|answer| answer.status == 200).count();
    assert_eq!((created, resumed), (1, 7), "{answers:?}");
    assert_eq!(http.read("/api/v1/runs").await.as_array().unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_error_of_a_spec_is_told_and_nothing_is_written() {
    let http = Http::start().await;
    let problem =
        http.launch("seed = \"0\"\npopulation.size = 1\nplay.dept = 3\nstop.generations = 0").await.problem(422);
    let fields: Vec<_> =
        problem["errors"].as_array().unwrap().iter().map(|error| error["field"].as_str().unwrap()).collect();
    assert_eq!(fields, ["seed", "population.size", "play.dept", "stop.generations"]);
    assert_eq!((&problem["errors"][1]["line"], &problem["errors"][1]["column"]), (&json!(2), &json!(19)));
    assert_eq!(problem["errors"][1]["value"], "1");
    assert!(problem["detail"].as_str().unwrap().contains("did you mean `play.depth`?"), "{problem}");
    assert_eq!(http.read("/api/v1/runs").await, json!([]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_population_can_start_from_a_generation_of_another_run() {
    let http = Http::start().await;
    http.create(&small("name = \"source\"\nseed = 3", 2)).await;
    let from = |run: &str, generation: u32| {
        format!(
            "name = \"heir\"\nseed = 4\ngenome = \"oe_fmc\"\n[population]\nsize = 6\nstart = {{ run = \"{run}\", generation = {generation} }}\n[stop]\ngenerations = 1\n"
        )
    };
    let not_over = http.launch(&from("source", 1)).await.problem(422);
    assert_eq!(not_over["errors"][0]["field"], "population.start.generation");
    http.play_all().await;
    for (run, generation, field) in
        [("source", 3, "population.start.generation"), ("nobody", 1, "population.start.run")]
    {
        assert_eq!(http.launch(&from(run, generation)).await.problem(422)["errors"][0]["field"], field);
    }
    let other = from("source", 2).replace("oe_fmc", "oe_fdmxc");
    assert_eq!(http.launch(&other).await.problem(422)["errors"][0]["field"], "population.start.run");
    http.create(&from("source", 2)).await;
    let players = http.read("/api/v1/runs/heir/spec").await["start"]["players"].clone();
    let board = http.read("/api/v1/runs/source/generations/2/leaderboard?limit=6").await;
    let best: Vec<_> = board["entries"].as_array().unwrap().iter().map(|entry| entry["chromosome"].clone()).collect();
    assert_eq!(players, Value::from(best));
    assert_eq!(http.launch(&from("source", 2)).await.status, 200, "and it can be repeated");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn champions_of_finished_generations_are_injected_and_stay_what_they_were() {
    let http = Http::start().await;
    http.create(&small("name = \"source\"\nseed = 3", 3)).await;
    http.play_all().await;
    let toml = format!("{}[inject]\ncount = 2\nevery = 1\n", small("name = \"heir\"", 2));
    http.create(&toml).await;
    let hall = http.read("/api/v1/runs/heir/spec").await["inject"]["hall"].clone();
    let generations = http.read("/api/v1/runs/source/generations").await;
    let mut champions: Vec<_> = generations
        .as_array()
        .unwrap()
        .iter()
        .map(|generation| {
            let best = &generation["best"];
            let genes = best["player"].as_str().unwrap().rsplit_once('_').unwrap().1.to_owned();
            (best["elo"].as_f64().unwrap(), genes)
        })
        .collect();
    champions.sort_by(|one, two| two.0.total_cmp(&one.0));
    assert_eq!(hall[0], champions[0].1.as_str(), "the best by rating comes first");
    assert!(hall.as_array().unwrap().len() <= 2);
    http.create(&small("name = \"more\"\nseed = 8", 1)).await;
    http.play_all().await;
    let mut connection = http.database.connection().await;
    sqlx::query(
        "UPDATE standings SET elo_after = 9999 WHERE rank = 1 AND run_id = (SELECT id FROM runs WHERE name = 'more')",
    )
    .execute(&mut connection)
    .await
    .unwrap();
    http.create(&toml.replace("heir", "later")).await;
    let later = http.read("/api/v1/runs/later/spec").await["inject"]["hall"].clone();
    assert_ne!(later[0], hall[0], "a later run finds another champion");
    let again = http.launch(&toml).await;
    assert_eq!(again.status, 200, "and yet this one is the same run: {again:?}");
    assert_eq!(http.read("/api/v1/runs/heir/spec").await["inject"]["hall"], hall);
}
