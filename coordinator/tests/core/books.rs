//! What the database says of a run, checked against the rules of bookkeeping.

use crate::support::TestDatabase;
use sqlx::Row;

/// The fingerprints of a run, generation by generation.
pub async fn fingerprints(database: &TestDatabase, run: &str) -> Vec<Vec<u8>> {
    sqlx::query_scalar(
        "SELECT g.fingerprint FROM generations g JOIN runs r ON r.id = g.run_id
         WHERE r.name = $1 AND g.fingerprint IS NOT NULL ORDER BY g.number",
    )
    .bind(run)
    .fetch_all(&mut database.connection().await)
    .await
    .unwrap()
}

/// One number out of the database.
pub async fn number(database: &TestDatabase, question: &'static str) -> i64 {
    sqlx::query_scalar(question).fetch_one(&mut database.connection().await).await.unwrap()
}

/// Every game of a turned-over generation is counted exactly once, on both sides.
pub async fn balanced(database: &TestDatabase, run: &str) {
    let mut connection = database.connection().await;
    let rows = sqlx::query(
        "SELECT g.number, g.pairings, b.games, s.wins, s.draws, s.losses, s.margin
         FROM generations g JOIN runs r ON r.id = g.run_id
         CROSS JOIN LATERAL (SELECT sum(count)::bigint AS games FROM batches
             WHERE run_id = r.id AND generation = g.number AND state = 'done') AS b
         CROSS JOIN LATERAL (SELECT sum(wins)::bigint AS wins, sum(draws)::bigint AS draws,
                 sum(losses)::bigint AS losses, sum(margin)::bigint AS margin FROM standings
             WHERE run_id = r.id AND generation = g.number) AS s
         WHERE r.name = $1 AND g.fingerprint IS NOT NULL",
    )
    .bind(run)
    .fetch_all(&mut connection)
    .await
    .unwrap();
    assert!(!rows.is_empty(), "nothing was turned over");
    for row in rows {
        let get = |name| row.get::<i64, _>(name);
        let (pairings, wins, draws) = (get("pairings"), get("wins"), get("draws"));
        assert_eq!(get("games"), pairings, "games recorded");
        assert_eq!(wins, get("losses"), "every win is somebody's loss");
        assert_eq!(2 * wins + draws, 2 * pairings, "every game stands in two records");
        assert_eq!(get("margin"), 0);
    }
}
