-- Runs, their generations and individuals, ranges of games and the leases on them.
-- Forward only; needs PostgreSQL 14 or later. There is no row per game.
-- Lock order everywhere: worker, run, generation, batches by id, leases.

CREATE TABLE runs (
    id                  integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name                text NOT NULL CONSTRAINT runs_name_key UNIQUE
                        CONSTRAINT runs_name_length CHECK (length(name) BETWEEN 1 AND 64),
    -- running, paused (no new leases), stopped (final) or finished.
    state               text NOT NULL CONSTRAINT runs_state CHECK (state IN ('running', 'paused', 'stopped', 'finished')),
    -- The resolved spec as JSON text, exactly the bytes that were launched, and its canonical hash.
    spec                text NOT NULL,
    spec_hash           bytea NOT NULL CONSTRAINT runs_spec_hash CHECK (length(spec_hash) = 32),
    game                text NOT NULL,
    genome              text NOT NULL,
    engine_semantics    integer NOT NULL,
    -- The generation whose games are being played, or the last one.
    current_generation  integer NOT NULL,
    -- Core microseconds a game: estimated at launch, then measured and smoothed over generations.
    -- Only for cutting; no result depends on it.
    game_us             double precision NOT NULL,
    -- Why the run ended: the strategy's reason when finished.
    stop_reason         text,
    created_at          timestamptz NOT NULL DEFAULT now(),
    ended_at            timestamptz
) WITH (fillfactor = 50);

CREATE TABLE generations (
    run_id              integer NOT NULL REFERENCES runs ON DELETE CASCADE,
    number              integer NOT NULL CONSTRAINT generations_number CHECK (number >= 1),
    slots               integer NOT NULL,
    individuals         integer NOT NULL,
    pairings            bigint NOT NULL,
    -- BLAKE3 of the definition, and its protobuf bytes while games are open (NULL afterwards: the
    -- population and the spec give them again).
    definition_hash     bytea NOT NULL CONSTRAINT generations_hash CHECK (length(definition_hash) = 32),
    definition          bytea,
    -- The generation in the canonical bytes of the evolution crate.
    population          bytea NOT NULL,
    -- Set once, when the generation is turned over.
    fingerprint         bytea CONSTRAINT generations_fingerprint CHECK (length(fingerprint) = 32),
    -- The number of the best individual, set with the fingerprint.
    best                bigint,
    created_at          timestamptz NOT NULL DEFAULT now(),
    turned_over_at      timestamptz,
    PRIMARY KEY (run_id, number)
) WITH (fillfactor = 70);

CREATE INDEX generations_definition ON generations (definition_hash) WHERE fingerprint IS NULL;

-- One row an individual of a run; the counts cover its whole life up to the last turnover.
CREATE TABLE individuals (
    run_id              integer NOT NULL REFERENCES runs ON DELETE CASCADE,
    number              bigint NOT NULL,
    -- First and last generation it took part in; death is NULL while it lives.
    birth               integer NOT NULL,
    death               integer,
    origin              text NOT NULL,
    parents             bigint[] NOT NULL,
    -- Eight bytes a gene.
    chromosome          bytea NOT NULL,
    wins                bigint NOT NULL,
    draws               bigint NOT NULL,
    losses              bigint NOT NULL,
    elo                 double precision NOT NULL,
    PRIMARY KEY (run_id, number)
) WITH (fillfactor = 70);

-- One row an individual and generation, written at turnover; the counts are of that generation.
CREATE TABLE standings (
    run_id              integer NOT NULL,
    generation          integer NOT NULL,
    -- From 1, the best first.
    rank                integer NOT NULL,
    -- Seats it played on; more than one when it had clones.
    slots               integer NOT NULL,
    number              bigint NOT NULL,
    wins                bigint NOT NULL,
    draws               bigint NOT NULL,
    losses              bigint NOT NULL,
    -- Sum of own margins in the unit of the game.
    margin              bigint NOT NULL,
    elo_before          double precision NOT NULL,
    elo_after           double precision NOT NULL,
    PRIMARY KEY (run_id, generation, rank),
    FOREIGN KEY (run_id, generation) REFERENCES generations ON DELETE CASCADE
);

CREATE INDEX standings_individual ON standings (run_id, number, generation);

-- A range of pairings of a generation, first .. first + count, and its packed results once played.
CREATE TABLE batches (
    id                  bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    run_id              integer NOT NULL,
    generation          integer NOT NULL,
    first               bigint NOT NULL CONSTRAINT batches_first CHECK (first >= 0),
    count               integer NOT NULL CONSTRAINT batches_count CHECK (count >= 1),
    state               text NOT NULL DEFAULT 'waiting'
                        CONSTRAINT batches_state CHECK (state IN ('waiting', 'leased', 'done')),
    results             bytea,
    -- BLAKE3 of the packed results.
    results_hash        bytea,
    recorded_at         timestamptz,
    -- The session whose report was recorded.
    recorded_by         uuid,
    core_us             bigint,
    CONSTRAINT batches_range UNIQUE (run_id, generation, first),
    CONSTRAINT batches_done CHECK ((state = 'done') = (results IS NOT NULL)),
    FOREIGN KEY (run_id, generation) REFERENCES generations ON DELETE CASCADE
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

CREATE INDEX batches_open ON batches (run_id, generation, first) WHERE state <> 'done';

-- A worker's session.
CREATE TABLE workers (
    session             uuid PRIMARY KEY,
    instance            uuid NOT NULL CONSTRAINT workers_instance_key UNIQUE,
    name                text NOT NULL,
    threads             integer NOT NULL CONSTRAINT workers_threads CHECK (threads BETWEEN 1 AND 1024),
    version             text NOT NULL,
    engine_semantics    integer NOT NULL,
    games               text[] NOT NULL,
    -- The highest lease request that was granted something.
    last_request        bigint NOT NULL DEFAULT 0,
    -- Games this session played, by its own heartbeats.
    games_played        bigint NOT NULL DEFAULT 0,
    -- Games of this session that were recorded.
    games_recorded      bigint NOT NULL DEFAULT 0,
    registered_at       timestamptz NOT NULL DEFAULT now(),
    seen_at             timestamptz NOT NULL DEFAULT now(),
    closed_at           timestamptz
) WITH (fillfactor = 50);

-- The right of a session to report a batch. Rows are deleted some time after their batch is done.
CREATE TABLE leases (
    token               uuid PRIMARY KEY,
    batch_id            bigint NOT NULL REFERENCES batches ON DELETE CASCADE,
    session             uuid NOT NULL,
    request             bigint NOT NULL,
    -- live; expired (may still report); reported; superseded (another's result came first);
    -- released (given back); void (revoked).
    state               text NOT NULL DEFAULT 'live' CONSTRAINT leases_state
                        CHECK (state IN ('live', 'expired', 'reported', 'superseded', 'released', 'void')),
    granted_at          timestamptz NOT NULL DEFAULT now(),
    expires_at          timestamptz NOT NULL,
    -- Games of the range finished so far, by heartbeats.
    progress            integer NOT NULL DEFAULT 0,
    -- BLAKE3 of what was reported under this token.
    report_hash         bytea
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

CREATE INDEX leases_batch ON leases (batch_id);
CREATE INDEX leases_live ON leases (batch_id) WHERE state = 'live';
CREATE INDEX leases_request ON leases (session, request);

-- Reports whose content differs from what is recorded for the range: somebody computes wrongly.
CREATE TABLE contradictions (
    id                  bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    run_id              integer NOT NULL REFERENCES runs ON DELETE CASCADE,
    generation          integer NOT NULL,
    batch_id            bigint NOT NULL,
    token               uuid NOT NULL,
    session             uuid NOT NULL,
    recorded_hash       bytea,
    reported_hash       bytea NOT NULL,
    seen_at             timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT contradictions_once UNIQUE (token, reported_hash)
);

-- LZ4 where the server was built with it; packed results then cost less to store and to read.
DO $$
BEGIN
    ALTER TABLE batches ALTER COLUMN results SET COMPRESSION lz4;
    ALTER TABLE generations ALTER COLUMN population SET COMPRESSION lz4;
    ALTER TABLE generations ALTER COLUMN definition SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported OR invalid_parameter_value THEN
    NULL;
END
$$;
