//! What this is, for whoever finds it.

use axum::Json;
use axum::response::Html;
use serde_json::{Value, json};

pub(super) async fn index() -> Json<Value> {
    Json(json!({
        "program": "kembara",
        "version": env!("CARGO_PKG_VERSION"),
        "engine_semantics": kembara_engine::SEMANTICS_VERSION,
        "evolution_semantics": kembara_evolution::SEMANTICS_VERSION,
        "games": kembara_engine::registry::games().iter().map(|game| game.name()).collect::<Vec<_>>(),
        "links": {
            "runs": "/api/v1/runs",
            "run": "/api/v1/runs/{run}",
            "spec": "/api/v1/runs/{run}/spec",
            "report": "/api/v1/runs/{run}/report",
            "leaderboard": "/api/v1/runs/{run}/leaderboard",
            "speeds": "/api/v1/runs/{run}/speeds",
            "generations": "/api/v1/runs/{run}/generations",
            "generation": "/api/v1/runs/{run}/generations/{generation}",
            "game": "/api/v1/runs/{run}/generations/{generation}/games/{game}",
            "individual": "/api/v1/runs/{run}/individuals/{individual}",
            "workers": "/api/v1/workers",
        },
    }))
}

pub(super) async fn page() -> Html<&'static str> {
    Html(
        "<!doctype html>
<html lang=\"en\">
<meta charset=\"utf-8\">
<meta name=\"viewport\" content=\"width=device-width\">
<meta name=\"color-scheme\" content=\"light dark\">
<title>Kembara</title>
<style>body { font: 1rem/1.6 system-ui, sans-serif; max-width: 40em; margin: 3em auto; padding: 0 1em }</style>
<h1>Kembara</h1>
<p>This coordinator breeds game-playing programs by self-play. Workers play the games; you launch
runs and read leaderboards here.</p>
<ul>
<li><a href=\"/api/v1/runs\">Runs</a></li>
<li><a href=\"/api/v1/workers\">Workers</a></li>
<li><a href=\"/api/v1\">Everything that can be asked</a></li>
</ul>
<p>Launch a run with <code>kembara run launch SPEC</code>, and look at it with
<code>kembara run watch RUN</code>.</p>
</html>
",
    )
}
