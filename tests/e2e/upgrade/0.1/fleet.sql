SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

CREATE SCHEMA fleet;

CREATE FUNCTION fleet.commit_change_1(given_entry json, given_expected json, given_touched json, given_created json, given_updated json, given_labels json, given_conditions json, given_links json, given_statuses json, given_removed json, given_work json, given_answer json) RETURNS void
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
DECLARE
  item record;
  referring text[];
  types_before text;
BEGIN
  INSERT INTO journal (id, time, action, resource_id, kind, name, tenancy, by_whom, request_id, generation, adapter, details) SELECT id, time, action, resource_id, kind, name, tenancy, by_whom, request_id, generation, adapter, details FROM json_to_record(given_entry) AS e (id text, time bigint, action text, resource_id text, kind text, name text, tenancy text, by_whom text, request_id text, generation bigint, adapter text, details text);
  IF json_array_length(given_expected) > 1 THEN
    FOR item IN SELECT e.id FROM json_to_recordset(given_expected) AS e (id text) ORDER BY e.id COLLATE "C" LOOP
      PERFORM 1 FROM resources WHERE id = item.id FOR NO KEY UPDATE;
    END LOOP;
  END IF;
  IF given_touched IS NOT NULL THEN
    FOR item IN SELECT * FROM json_to_recordset(given_touched) AS e (id text, revision bigint) LOOP 
      UPDATE resources SET revision = revision + 1 WHERE id = item.id AND revision = item.revision;
      IF NOT FOUND THEN
        RAISE EXCEPTION 'the revision is another one' USING ERRCODE = 'LS001';
      END IF;
    END LOOP;
  END IF;
  IF given_updated IS NOT NULL THEN
    FOR item IN SELECT * FROM json_to_recordset(given_updated) AS e (id text, revision bigint, is_declared bigint, spec text, spec_exact text, labels text, links text, generation bigint, updated_by text, updated_time bigint, deleted_by text, deleted_time bigint, conditions text, types text) LOOP 
      UPDATE resources r SET revision = r.revision + 1, generation = item.generation, updated_by = item.updated_by, updated_time = item.updated_time, deleted_by = item.deleted_by, deleted_time = item.deleted_time, conditions = item.conditions, types = item.types
        FROM resources o WHERE r.id = item.id AND r.revision = item.revision AND o.id = item.id
        RETURNING o.types INTO types_before;
      IF NOT FOUND THEN
        RAISE EXCEPTION 'the revision is another one' USING ERRCODE = 'LS001';
      END IF;
      IF item.is_declared = 1 THEN
        UPDATE resources SET spec = item.spec::jsonb, spec_exact = item.spec_exact, labels = item.labels, links = item.links
          WHERE id = item.id;
        DELETE FROM resource_labels WHERE resource_id = item.id;
        DELETE FROM resource_references WHERE resource_id = item.id;
      END IF;
      IF types_before <> item.types THEN
        DELETE FROM resource_conditions
          WHERE resource_id = item.id AND type <> ALL (string_to_array(item.types, E'\n'));
      END IF;
      UPDATE changes SET transaction = pg_current_xact_id(), number = nextval('change_numbers') WHERE resource_id = item.id;
    END LOOP;
  END IF;
  IF given_created IS NOT NULL THEN
    INSERT INTO resources (id, kind, name, href, owner_id, owner_kind, owner_href, generation, created_by, updated_by, deleted_by, created_time, updated_time, deleted_time, tenancy, labels, links, conditions, types, spec_exact, spec, revision)
      SELECT id, kind, name, href, owner_id, owner_kind, owner_href, generation, created_by, updated_by, deleted_by, created_time, updated_time, deleted_time, tenancy, labels, links, conditions, types, spec_exact, e.spec::jsonb, 1 FROM json_to_recordset(given_created) AS e (id text, kind text, name text, href text, owner_id text, owner_kind text, owner_href text, generation bigint, created_by text, updated_by text, deleted_by text, created_time bigint, updated_time bigint, deleted_time bigint, tenancy text, labels text, links text, conditions text, types text, spec_exact text, spec text);
    INSERT INTO changes (resource_id, transaction, number, kind, tenancy)
      SELECT e.id, pg_current_xact_id(), nextval('change_numbers'), e.kind, e.tenancy
      FROM json_to_recordset(given_created) AS e (id text, kind text, tenancy text)
      ON CONFLICT (resource_id) DO UPDATE
      SET transaction = excluded.transaction, number = excluded.number, removed_time = NULL, gone = NULL;
  END IF;
  IF given_labels IS NOT NULL THEN
    INSERT INTO resource_labels (resource_id, key, value)
      SELECT * FROM json_to_recordset(given_labels) AS e (resource_id text, key text, value text);
  END IF;
  IF given_links IS NOT NULL THEN
    INSERT INTO resource_references (resource_id, type, ordinal, target_id, target_kind, target_href)
      SELECT * FROM json_to_recordset(given_links) AS e (resource_id text, type text, ordinal bigint, target_id text, kind text, href text);
  END IF;
  IF given_conditions IS NOT NULL THEN
    -- A row that is as it was must not even be locked. The query in brackets is no join to be planned otherwise.
    INSERT INTO resource_conditions (resource_id, type, status, observed_generation, last_updated_time, last_transition_time)
      SELECT * FROM json_to_recordset(given_conditions) AS e (resource_id text, type text, status text, observed_generation bigint, last_updated_time bigint, last_transition_time bigint)
      WHERE (
        SELECT x.status = e.status AND x.observed_generation = e.observed_generation AND x.last_updated_time = e.last_updated_time AND x.last_transition_time = e.last_transition_time FROM resource_conditions x
        WHERE x.resource_id = e.resource_id AND x.type = e.type) IS NOT TRUE
      ON CONFLICT (resource_id, type) DO UPDATE SET status = excluded.status, observed_generation = excluded.observed_generation, last_updated_time = excluded.last_updated_time, last_transition_time = excluded.last_transition_time;
  END IF;
  IF given_statuses IS NOT NULL THEN
    INSERT INTO adapter_statuses (resource_id, adapter, body)
      SELECT * FROM json_to_recordset(given_statuses) AS e (resource_id text, adapter text, body text)
      ON CONFLICT (resource_id, adapter) DO UPDATE SET body = excluded.body;
  END IF;
  IF given_removed IS NOT NULL THEN
    FOR item IN SELECT * FROM json_to_recordset(given_removed) AS e (id text, revision bigint, time bigint, gone text) LOOP 
      referring := ARRAY(SELECT DISTINCT resource_id FROM resource_references WHERE target_id = item.id
        AND resource_id NOT IN (SELECT e.id FROM json_to_recordset(given_removed) AS e (id text)));
      DELETE FROM resources WHERE id = item.id AND revision = item.revision;
      IF NOT FOUND THEN
        RAISE EXCEPTION 'the revision is another one' USING ERRCODE = 'LS001';
      END IF;
      UPDATE changes SET transaction = pg_current_xact_id(), number = nextval('change_numbers'), removed_time = item.time, gone = item.gone WHERE resource_id = item.id;
      UPDATE changes SET transaction = pg_current_xact_id(), number = nextval('change_numbers') WHERE resource_id = ANY (referring);
      UPDATE resources r SET revision = r.revision + 1, links = coalesce((
          SELECT json_object_agg(kept.type, kept.targets)::text FROM (
            SELECT x.type, json_agg(json_build_object('id', x.target_id, 'kind', x.target_kind, 'href', x.target_href)
              ORDER BY x.ordinal) AS targets
            FROM resource_references x WHERE x.resource_id = r.id GROUP BY x.type) kept), '{}')
        WHERE r.id = ANY (referring);
    END LOOP;
  END IF;
  IF given_work IS NOT NULL THEN
    INSERT INTO due_work (resource_id, kind, urgent_time, urgent_cause, urgent_plan, refresh_time, refresh_plan)
      SELECT e.resource_id, e.kind, e.urgent_time, e.urgent_cause, (e.urgent_time IS NOT NULL)::int, e.refresh_time, 1
      FROM json_to_recordset(given_work)
      AS e (resource_id text, kind text, urgent_time bigint, urgent_cause text, refresh_time bigint)
      ON CONFLICT (resource_id) DO UPDATE SET 
  urgent_time = CASE
    WHEN excluded.urgent_time IS NULL THEN due_work.urgent_time
    WHEN due_work.holder IS NULL AND due_work.urgent_time < excluded.urgent_time THEN due_work.urgent_time
    ELSE excluded.urgent_time END,
  urgent_cause = CASE
    WHEN excluded.urgent_cause IS NULL THEN due_work.urgent_cause
    WHEN excluded.urgent_cause = 'wake' THEN coalesce(due_work.urgent_cause, excluded.urgent_cause)
    ELSE excluded.urgent_cause END,
  urgent_plan = due_work.urgent_plan + excluded.urgent_plan,
  refresh_time = excluded.refresh_time,
  refresh_plan = due_work.refresh_plan + 1;
  END IF;
  IF given_answer IS NOT NULL THEN
    INSERT INTO answers (key, request, time, status, headers, body)
      SELECT * FROM json_to_record(given_answer)
      AS e (key text, request text, time bigint, status bigint, headers text, body text);
  END IF;
END $$;

CREATE FUNCTION fleet.commit_reports_1(given_entry json, given_expected json, given_touched json, given_updated json, given_shown json, given_conditions json, given_statuses json, given_work json) RETURNS void
    LANGUAGE plpgsql
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
#variable_conflict use_column
DECLARE
  touched_rows bigint := 0;
  updated_rows bigint := 0;
BEGIN
  INSERT INTO journal (id, time, action, resource_id, kind, name, tenancy, by_whom, request_id, generation, adapter, details) SELECT id, time, action, resource_id, kind, name, tenancy, by_whom, request_id, generation, adapter, details FROM json_to_recordset(given_entry) AS e (id text, time bigint, action text, resource_id text, kind text, name text, tenancy text, by_whom text, request_id text, generation bigint, adapter text, details text);
  IF given_touched IS NOT NULL THEN
    UPDATE resources r SET revision = r.revision + 1
      FROM json_to_recordset(given_touched) AS e (id text, revision bigint)
      WHERE r.id = e.id AND r.revision = e.revision;
    GET DIAGNOSTICS touched_rows = ROW_COUNT;
  END IF;
  IF given_updated IS NOT NULL THEN
    UPDATE resources r SET revision = r.revision + 1, conditions = e.conditions
      FROM json_to_recordset(given_updated) AS e (id text, revision bigint, conditions text)
      WHERE r.id = e.id AND r.revision = e.revision;
    GET DIAGNOSTICS updated_rows = ROW_COUNT;
    UPDATE changes c SET transaction = pg_current_xact_id(), number = nextval('change_numbers') FROM json_to_recordset(given_shown) AS e (id text) WHERE c.resource_id = e.id;
  END IF;
  -- Two changes of one resource are two rows, of which one is not found.
  IF touched_rows + updated_rows <> coalesce(json_array_length(given_expected), 0) THEN
    RAISE EXCEPTION 'the revision is another one' USING ERRCODE = 'LS001';
  END IF;
  IF given_conditions IS NOT NULL THEN
    -- A row that is as it was must not even be locked. The query in brackets is no join to be planned otherwise.
    INSERT INTO resource_conditions (resource_id, type, status, observed_generation, last_updated_time, last_transition_time)
      SELECT * FROM json_to_recordset(given_conditions) AS e (resource_id text, type text, status text, observed_generation bigint, last_updated_time bigint, last_transition_time bigint)
      WHERE (
        SELECT x.status = e.status AND x.observed_generation = e.observed_generation AND x.last_updated_time = e.last_updated_time AND x.last_transition_time = e.last_transition_time FROM resource_conditions x
        WHERE x.resource_id = e.resource_id AND x.type = e.type) IS NOT TRUE
      ON CONFLICT (resource_id, type) DO UPDATE SET status = excluded.status, observed_generation = excluded.observed_generation, last_updated_time = excluded.last_updated_time, last_transition_time = excluded.last_transition_time;
  END IF;
  IF given_statuses IS NOT NULL THEN
    INSERT INTO adapter_statuses (resource_id, adapter, body)
      SELECT * FROM json_to_recordset(given_statuses) AS e (resource_id text, adapter text, body text)
      ON CONFLICT (resource_id, adapter) DO UPDATE SET body = excluded.body;
  END IF;
  IF given_work IS NOT NULL THEN
    INSERT INTO due_work (resource_id, kind, urgent_time, urgent_cause, urgent_plan, refresh_time, refresh_plan)
      SELECT e.resource_id, e.kind, e.urgent_time, e.urgent_cause, (e.urgent_time IS NOT NULL)::int, e.refresh_time, 1
      FROM json_to_recordset(given_work)
      AS e (resource_id text, kind text, urgent_time bigint, urgent_cause text, refresh_time bigint)
      ON CONFLICT (resource_id) DO UPDATE SET 
  urgent_time = CASE
    WHEN excluded.urgent_time IS NULL THEN due_work.urgent_time
    WHEN due_work.holder IS NULL AND due_work.urgent_time < excluded.urgent_time THEN due_work.urgent_time
    ELSE excluded.urgent_time END,
  urgent_cause = CASE
    WHEN excluded.urgent_cause IS NULL THEN due_work.urgent_cause
    WHEN excluded.urgent_cause = 'wake' THEN coalesce(due_work.urgent_cause, excluded.urgent_cause)
    ELSE excluded.urgent_cause END,
  urgent_plan = due_work.urgent_plan + excluded.urgent_plan,
  refresh_time = excluded.refresh_time,
  refresh_plan = due_work.refresh_plan + 1;
  END IF;
END $$;

SET default_tablespace = '';

SET default_table_access_method = heap;

CREATE TABLE fleet.adapter_statuses (
    resource_id text NOT NULL COLLATE pg_catalog."C",
    adapter text NOT NULL COLLATE pg_catalog."C",
    body text NOT NULL COLLATE pg_catalog."C"
)
WITH (fillfactor='70');

CREATE TABLE fleet.answers (
    key text NOT NULL COLLATE pg_catalog."C",
    request text NOT NULL COLLATE pg_catalog."C",
    "time" bigint NOT NULL,
    status bigint NOT NULL,
    headers text NOT NULL COLLATE pg_catalog."C",
    body text NOT NULL COLLATE pg_catalog."C"
);

CREATE SEQUENCE fleet.change_numbers
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE fleet.changes (
    resource_id text NOT NULL COLLATE pg_catalog."C",
    transaction xid8 NOT NULL,
    number bigint NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    tenancy text NOT NULL COLLATE pg_catalog."C",
    removed_time bigint,
    gone text COLLATE pg_catalog."C"
);

CREATE TABLE fleet.due_work (
    resource_id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    urgent_time bigint,
    urgent_cause text COLLATE pg_catalog."C",
    urgent_plan bigint NOT NULL,
    refresh_time bigint,
    refresh_plan bigint NOT NULL,
    pulsed_time bigint,
    holder text COLLATE pg_catalog."C",
    lease_until bigint,
    due_time bigint GENERATED ALWAYS AS (
CASE
    WHEN ((urgent_time IS NULL) OR (refresh_time < urgent_time)) THEN refresh_time
    ELSE urgent_time
END) STORED,
    next_time bigint GENERATED ALWAYS AS (
CASE
    WHEN (lease_until >
    CASE
        WHEN ((urgent_time IS NULL) OR (refresh_time < urgent_time)) THEN refresh_time
        ELSE urgent_time
    END) THEN lease_until
    ELSE
    CASE
        WHEN ((urgent_time IS NULL) OR (refresh_time < urgent_time)) THEN refresh_time
        ELSE urgent_time
    END
END) STORED
);

CREATE TABLE fleet.feed (
    id bigint NOT NULL,
    expired_transaction xid8 NOT NULL,
    expired_number bigint NOT NULL,
    CONSTRAINT feed_id_check CHECK ((id = 1))
);

CREATE TABLE fleet.journal (
    id text NOT NULL COLLATE pg_catalog."C",
    "time" bigint NOT NULL,
    action text NOT NULL COLLATE pg_catalog."C",
    resource_id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    tenancy text NOT NULL COLLATE pg_catalog."C",
    by_whom text NOT NULL COLLATE pg_catalog."C",
    request_id text NOT NULL COLLATE pg_catalog."C",
    generation bigint NOT NULL,
    adapter text COLLATE pg_catalog."C",
    details text COLLATE pg_catalog."C"
);

CREATE TABLE fleet.refresh_ttls (
    kind text NOT NULL COLLATE pg_catalog."C",
    ready_ms bigint NOT NULL,
    not_ready_ms bigint NOT NULL
);

CREATE TABLE fleet.resource_conditions (
    resource_id text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL COLLATE pg_catalog."C",
    observed_generation bigint NOT NULL,
    last_updated_time bigint NOT NULL,
    last_transition_time bigint NOT NULL
);

CREATE TABLE fleet.resource_labels (
    resource_id text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    value text NOT NULL COLLATE pg_catalog."C"
);

CREATE TABLE fleet.resource_references (
    resource_id text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL COLLATE pg_catalog."C",
    ordinal bigint NOT NULL,
    target_id text NOT NULL COLLATE pg_catalog."C",
    target_kind text NOT NULL COLLATE pg_catalog."C",
    target_href text NOT NULL COLLATE pg_catalog."C"
);

CREATE TABLE fleet.resources (
    id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    href text NOT NULL COLLATE pg_catalog."C",
    owner_id text COLLATE pg_catalog."C",
    owner_kind text COLLATE pg_catalog."C",
    owner_href text COLLATE pg_catalog."C",
    generation bigint NOT NULL,
    created_by text NOT NULL COLLATE pg_catalog."C",
    updated_by text NOT NULL COLLATE pg_catalog."C",
    deleted_by text COLLATE pg_catalog."C",
    created_time bigint NOT NULL,
    updated_time bigint NOT NULL,
    deleted_time bigint,
    tenancy text NOT NULL COLLATE pg_catalog."C",
    labels text NOT NULL COLLATE pg_catalog."C",
    links text NOT NULL COLLATE pg_catalog."C",
    conditions text NOT NULL COLLATE pg_catalog."C",
    types text NOT NULL COLLATE pg_catalog."C",
    revision bigint NOT NULL,
    spec jsonb NOT NULL,
    spec_exact text COLLATE pg_catalog."C"
)
WITH (fillfactor='70');

CREATE TABLE fleet.schema_version (
    version bigint NOT NULL
);

CREATE TABLE fleet.trimmed (
    id bigint NOT NULL,
    reports_time bigint NOT NULL,
    CONSTRAINT trimmed_id_check CHECK ((id = 1))
);

INSERT INTO fleet.adapter_statuses VALUES ('019b76da-a800-77b1-ae5a-8cabb6c162f7', 'validation', '{"adapter":"validation","createdTime":1767225660000,"verdict":{"observedGeneration":1,"observedTime":1767225660000,"conditions":[{"type":"Available","status":"True","reason":"Reported","message":"by validation","lastTransitionTime":1767225660000},{"type":"Applied","status":"True","lastTransitionTime":1767225660000},{"type":"Health","status":"True","lastTransitionTime":1767225660000}],"data":{"adapter":"validation","count":7}}}');
INSERT INTO fleet.adapter_statuses VALUES ('019b76da-a800-77b1-ae5a-8cabb6c162f7', 'network', '{"adapter":"network","createdTime":1767225660000,"verdict":{"observedGeneration":1,"observedTime":1767225660000,"conditions":[{"type":"Available","status":"True","reason":"Reported","message":"by network","lastTransitionTime":1767225660000},{"type":"Applied","status":"True","lastTransitionTime":1767225660000},{"type":"Health","status":"True","lastTransitionTime":1767225660000}],"data":{"adapter":"network","count":7}}}');
INSERT INTO fleet.adapter_statuses VALUES ('019b76da-a800-77b5-b194-6e09545b5e95', 'validation', '{"adapter":"validation","createdTime":1767225660000,"verdict":{"observedGeneration":1,"observedTime":1767225660000,"conditions":[{"type":"Available","status":"True","reason":"Reported","message":"by validation","lastTransitionTime":1767225660000},{"type":"Applied","status":"True","lastTransitionTime":1767225660000},{"type":"Health","status":"True","lastTransitionTime":1767225660000}],"data":{"adapter":"validation","count":7}}}');
INSERT INTO fleet.adapter_statuses VALUES ('019b76da-a800-77b5-b194-6e09545b5e95', 'network', '{"adapter":"network","createdTime":1767225660000,"verdict":{"observedGeneration":1,"observedTime":1767225660000,"conditions":[{"type":"Available","status":"True","reason":"Reported","message":"by network","lastTransitionTime":1767225660000},{"type":"Applied","status":"True","lastTransitionTime":1767225660000},{"type":"Health","status":"True","lastTransitionTime":1767225660000}],"data":{"adapter":"network","count":7}}}');
INSERT INTO fleet.adapter_statuses VALUES ('019b76da-a800-77b7-b50a-f6760839fca2', 'validation', '{"adapter":"validation","createdTime":1767225660000,"verdict":{"observedGeneration":1,"observedTime":1767225660000,"conditions":[{"type":"Available","status":"True","reason":"Reported","message":"by validation","lastTransitionTime":1767225660000},{"type":"Applied","status":"True","lastTransitionTime":1767225660000},{"type":"Health","status":"True","lastTransitionTime":1767225660000}],"data":{"adapter":"validation","count":7}}}');
INSERT INTO fleet.adapter_statuses VALUES ('019b76da-a800-77b7-b50a-f6760839fca2', 'network', '{"adapter":"network","createdTime":1767225660000,"verdict":{"observedGeneration":1,"observedTime":1767225660000,"conditions":[{"type":"Available","status":"True","reason":"Reported","message":"by network","lastTransitionTime":1767225660000},{"type":"Applied","status":"True","lastTransitionTime":1767225660000},{"type":"Health","status":"True","lastTransitionTime":1767225660000}],"data":{"adapter":"network","count":7}}}');
INSERT INTO fleet.adapter_statuses VALUES ('019b76da-a800-77b3-bd25-7d3d823ad26d', 'pool', '{"adapter":"pool","createdTime":1767225660000,"verdict":{"observedGeneration":1,"observedTime":1767225660000,"conditions":[{"type":"Available","status":"True","reason":"Reported","message":"by pool","lastTransitionTime":1767225660000},{"type":"Applied","status":"True","lastTransitionTime":1767225660000},{"type":"Health","status":"True","lastTransitionTime":1767225660000}],"data":{"adapter":"pool","count":7}}}');

INSERT INTO fleet.answers VALUES ('4adb4a282f450c3f6930407c6635719ba9c7ebde1d451e9b9534c40a5d24a7de', '77f60d36ea8d4cdfe2f1f3dd5a2fea6cde1fd194ed4039cb850a93c144d8bc12', 1767225600000, 201, '{"etag":"\"1.1\""}', '{"id":"019b76da-a800-77af-b5a1-981fc1f6c03c","kind":"Channel","name":"stable","href":"/api/hyperfleet/v1/channels/019b76da-a800-77af-b5a1-981fc1f6c03c","spec":{"versions":["1.0","1.1"]},"generation":1,"created_time":"2026-01-01T00:00:00.000Z","updated_time":"2026-01-01T00:00:00.000Z","created_by":"system@hyperfleet.local","updated_by":"system@hyperfleet.local","tenancy":{},"status":{"conditions":[]}}');
INSERT INTO fleet.answers VALUES ('2a00e64efd7e9fd85c4340b16f6606c09976ba399381e5799e7af6850e198fdb', '75cdd3a5914bd7689dfe81e3b2c5ea699e17c331df2edc351593e0bfd457e92a', 1767225600000, 201, '{"etag":"\"1.1\""}', '{"id":"019b76da-a800-77b1-ae5a-8cabb6c162f7","kind":"Cluster","name":"eu-1","href":"/api/hyperfleet/v1/clusters/019b76da-a800-77b1-ae5a-8cabb6c162f7","spec":{"region":"eu","limits":{"cpu":"2","nodes":[1,2,3]}},"labels":{"env":"production","shard":"1"},"generation":1,"created_time":"2026-01-01T00:00:00.000Z","updated_time":"2026-01-01T00:00:00.000Z","created_by":"system@hyperfleet.local","updated_by":"system@hyperfleet.local","references":{"channel":[{"id":"019b76da-a800-77af-b5a1-981fc1f6c03c","kind":"Channel","href":"/api/hyperfleet/v1/channels/019b76da-a800-77af-b5a1-981fc1f6c03c"}]},"tenancy":{},"status":{"conditions":[{"type":"Reconciled","status":"False","reason":"ReconciledMissingAdapters","message":"Required adapters not reporting Available=True: [network, validation]. Currently reporting: []","observed_generation":1,"created_time":"2026-01-01T00:00:00.000Z","last_updated_time":"2026-01-01T00:00:00.000Z","last_transition_time":"2026-01-01T00:00:00.000Z"},{"type":"LastKnownReconciled","status":"False","reason":"AdaptersMissingReports","message":"Required adapters without a report: [network, validation]","observed_generation":1,"created_time":"2026-01-01T00:00:00.000Z","last_updated_time":"2026-01-01T00:00:00.000Z","last_transition_time":"2026-01-01T00:00:00.000Z"},{"type":"Ready","status":"False","reason":"ReconciledMissingAdapters","message":"Required adapters not reporting Available=True: [network, validation]. Currently reporting: []","observed_generation":1,"created_time":"2026-01-01T00:00:00.000Z","last_updated_time":"2026-01-01T00:00:00.000Z","last_transition_time":"2026-01-01T00:00:00.000Z"},{"type":"Available","status":"False","reason":"AdaptersMissingReports","message":"Required adapters without a report: [network, validation]","observed_generation":1,"created_time":"2026-01-01T00:00:00.000Z","last_updated_time":"2026-01-01T00:00:00.000Z","last_transition_time":"2026-01-01T00:00:00.000Z"}]}}');
INSERT INTO fleet.answers VALUES ('6208949f8121496c0a0a630e60a7cc1311dc16eada93c0a8b612a0364e31c808', '975ccc886a0008f4f992b2e4db8144495476215436d9345a53b6cc52e637676a', 1767225600000, 201, '{"etag":"\"1.1\""}', '{"id":"019b76da-a800-77b3-bd25-7d3d823ad26d","kind":"NodePool","name":"blue","href":"/api/hyperfleet/v1/clusters/019b76da-a800-77b1-ae5a-8cabb6c162f7/nodepools/019b76da-a800-77b3-bd25-7d3d823ad26d","spec":{"replicas":3},"labels":{"tier":"web"},"generation":1,"created_time":"2026-01-01T00:00:00.000Z","updated_time":"2026-01-01T00:00:00.000Z","created_by":"system@hyperfleet.local","updated_by":"system@hyperfleet.local","owner_references":{"id":"019b76da-a800-77b1-ae5a-8cabb6c162f7","kind":"Cluster","href":"/api/hyperfleet/v1/clusters/019b76da-a800-77b1-ae5a-8cabb6c162f7"},"tenancy":{},"status":{"conditions":[{"type":"Reconciled","status":"False","reason":"ReconciledMissingAdapters","message":"Required adapters not reporting Available=True: [pool]. Currently reporting: []","observed_generation":1,"created_time":"2026-01-01T00:00:00.000Z","last_updated_time":"2026-01-01T00:00:00.000Z","last_transition_time":"2026-01-01T00:00:00.000Z"},{"type":"LastKnownReconciled","status":"False","reason":"AdaptersMissingReports","message":"Required adapters without a report: [pool]","observed_generation":1,"created_time":"2026-01-01T00:00:00.000Z","last_updated_time":"2026-01-01T00:00:00.000Z","last_transition_time":"2026-01-01T00:00:00.000Z"},{"type":"Ready","status":"False","reason":"ReconciledMissingAdapters","message":"Required adapters not reporting Available=True: [pool]. Currently reporting: []","observed_generation":1,"created_time":"2026-01-01T00:00:00.000Z","last_updated_time":"2026-01-01T00:00:00.000Z","last_transition_time":"2026-01-01T00:00:00.000Z"},{"type":"Available","status":"False","reason":"AdaptersMissingReports","message":"Required adapters without a report: [pool]","observed_generation":1,"created_time":"2026-01-01T00:00:00.000Z","last_updated_time":"2026-01-01T00:00:00.000Z","last_transition_time":"2026-01-01T00:00:00.000Z"}]}}');
INSERT INTO fleet.answers VALUES ('9fae757fd06cd633e2da024caa1aef0526ad11a9268a8044d4ff4ba13764b25f', 'c23ef179bae15eeff61192baf3fc0133bf45be358e82edbc3bd70779b5304f5a', 1767225600000, 201, '{"etag":"\"1.1\""}', '{"id":"019b76da-a800-77b5-b194-6e09545b5e95","kind":"Cluster","name":"eu-2","href":"/api/hyperfleet/v1/clusters/019b76da-a800-77b5-b194-6e09545b5e95","spec":{"region":"eu"},"generation":1,"created_time":"2026-01-01T00:00:00.000Z","updated_time":"2026-01-01T00:00:00.000Z","created_by":"system@hyperfleet.local","updated_by":"system@hyperfleet.local","tenancy":{},"status":{"conditions":[{"type":"Reconciled","status":"False","reason":"ReconciledMissingAdapters","message":"Required adapters not reporting Available=True: [network, validation]. Currently reporting: []","observed_generation":1,"created_time":"2026-01-01T00:00:00.000Z","last_updated_time":"2026-01-01T00:00:00.000Z","last_transition_time":"2026-01-01T00:00:00.000Z"},{"type":"LastKnownReconciled","status":"False","reason":"AdaptersMissingReports","message":"Required adapters without a report: [network, validation]","observed_generation":1,"created_time":"2026-01-01T00:00:00.000Z","last_updated_time":"2026-01-01T00:00:00.000Z","last_transition_time":"2026-01-01T00:00:00.000Z"},{"type":"Ready","status":"False","reason":"ReconciledMissingAdapters","message":"Required adapters not reporting Available=True: [network, validation]. Currently reporting: []","observed_generation":1,"created_time":"2026-01-01T00:00:00.000Z","last_updated_time":"2026-01-01T00:00:00.000Z","last_transition_time":"2026-01-01T00:00:00.000Z"},{"type":"Available","status":"False","reason":"AdaptersMissingReports","message":"Required adapters without a report: [network, validation]","observed_generation":1,"created_time":"2026-01-01T00:00:00.000Z","last_updated_time":"2026-01-01T00:00:00.000Z","last_transition_time":"2026-01-01T00:00:00.000Z"}]}}');
INSERT INTO fleet.answers VALUES ('79437ddc360a9865b1d2c509daacd93bd72ac461e20cb8894ccff1edf025d87e', '338e422cf4c3c1cf5d43687890f2da532a7ccc6cf58bdcc3a0e6f10f7406c48c', 1767225600000, 201, '{"etag":"\"1.1\""}', '{"id":"019b76da-a800-77b7-b50a-f6760839fca2","kind":"Cluster","name":"eu-3","href":"/api/hyperfleet/v1/clusters/019b76da-a800-77b7-b50a-f6760839fca2","spec":{"region":"eu"},"generation":1,"created_time":"2026-01-01T00:00:00.000Z","updated_time":"2026-01-01T00:00:00.000Z","created_by":"system@hyperfleet.local","updated_by":"system@hyperfleet.local","tenancy":{},"status":{"conditions":[{"type":"Reconciled","status":"False","reason":"ReconciledMissingAdapters","message":"Required adapters not reporting Available=True: [network, validation]. Currently reporting: []","observed_generation":1,"created_time":"2026-01-01T00:00:00.000Z","last_updated_time":"2026-01-01T00:00:00.000Z","last_transition_time":"2026-01-01T00:00:00.000Z"},{"type":"LastKnownReconciled","status":"False","reason":"AdaptersMissingReports","message":"Required adapters without a report: [network, validation]","observed_generation":1,"created_time":"2026-01-01T00:00:00.000Z","last_updated_time":"2026-01-01T00:00:00.000Z","last_transition_time":"2026-01-01T00:00:00.000Z"},{"type":"Ready","status":"False","reason":"ReconciledMissingAdapters","message":"Required adapters not reporting Available=True: [network, validation]. Currently reporting: []","observed_generation":1,"created_time":"2026-01-01T00:00:00.000Z","last_updated_time":"2026-01-01T00:00:00.000Z","last_transition_time":"2026-01-01T00:00:00.000Z"},{"type":"Available","status":"False","reason":"AdaptersMissingReports","message":"Required adapters without a report: [network, validation]","observed_generation":1,"created_time":"2026-01-01T00:00:00.000Z","last_updated_time":"2026-01-01T00:00:00.000Z","last_transition_time":"2026-01-01T00:00:00.000Z"}]}}');
INSERT INTO fleet.answers VALUES ('173fecbcd7a9313929a1abd6a3e0a739ab81338ea89c4f1c9464497181051b89', 'f17cdffc1c4488377a94d937913bedaa40f26906484d4ddac4b15bf5c9db7ee7', 1767225600000, 201, '{"etag":"\"1.1\""}', '{"id":"019b76da-a800-77b9-8ab8-c0abf61ac2ab","kind":"Cluster","name":"eu-4","href":"/api/hyperfleet/v1/clusters/019b76da-a800-77b9-8ab8-c0abf61ac2ab","spec":{"region":"eu"},"generation":1,"created_time":"2026-01-01T00:00:00.000Z","updated_time":"2026-01-01T00:00:00.000Z","created_by":"system@hyperfleet.local","updated_by":"system@hyperfleet.local","tenancy":{},"status":{"conditions":[{"type":"Reconciled","status":"False","reason":"ReconciledMissingAdapters","message":"Required adapters not reporting Available=True: [network, validation]. Currently reporting: []","observed_generation":1,"created_time":"2026-01-01T00:00:00.000Z","last_updated_time":"2026-01-01T00:00:00.000Z","last_transition_time":"2026-01-01T00:00:00.000Z"},{"type":"LastKnownReconciled","status":"False","reason":"AdaptersMissingReports","message":"Required adapters without a report: [network, validation]","observed_generation":1,"created_time":"2026-01-01T00:00:00.000Z","last_updated_time":"2026-01-01T00:00:00.000Z","last_transition_time":"2026-01-01T00:00:00.000Z"},{"type":"Ready","status":"False","reason":"ReconciledMissingAdapters","message":"Required adapters not reporting Available=True: [network, validation]. Currently reporting: []","observed_generation":1,"created_time":"2026-01-01T00:00:00.000Z","last_updated_time":"2026-01-01T00:00:00.000Z","last_transition_time":"2026-01-01T00:00:00.000Z"},{"type":"Available","status":"False","reason":"AdaptersMissingReports","message":"Required adapters without a report: [network, validation]","observed_generation":1,"created_time":"2026-01-01T00:00:00.000Z","last_updated_time":"2026-01-01T00:00:00.000Z","last_transition_time":"2026-01-01T00:00:00.000Z"}]}}');
INSERT INTO fleet.answers VALUES ('06e43765aa89a192ec07c70522604b34708b18aaddd4f902e62673193e0feb16', '01ba4719c80b6fe911b091a7c05124b64eeece964e09c058ef8f9805daca546b', 1767225660000, 202, '{"etag":"\"2.2\""}', '{"id":"019b76da-a800-77b9-8ab8-c0abf61ac2ab","kind":"Cluster","name":"eu-4","href":"/api/hyperfleet/v1/clusters/019b76da-a800-77b9-8ab8-c0abf61ac2ab","spec":{"region":"eu"},"generation":2,"created_time":"2026-01-01T00:00:00.000Z","updated_time":"2026-01-01T00:01:00.000Z","created_by":"system@hyperfleet.local","updated_by":"system@hyperfleet.local","deleted_time":"2026-01-01T00:01:00.000Z","deleted_by":"system@hyperfleet.local","tenancy":{},"status":{"conditions":[{"type":"Reconciled","status":"False","reason":"ReconciledMissingAdapters","message":"Required adapters not reporting Finalized=True: [network, validation]. Currently reporting: []","observed_generation":2,"created_time":"2026-01-01T00:00:00.000Z","last_updated_time":"2026-01-01T00:01:00.000Z","last_transition_time":"2026-01-01T00:00:00.000Z"},{"type":"LastKnownReconciled","status":"False","reason":"AdaptersMissingReports","message":"Required adapters without a report: [network, validation]","observed_generation":1,"created_time":"2026-01-01T00:00:00.000Z","last_updated_time":"2026-01-01T00:00:00.000Z","last_transition_time":"2026-01-01T00:00:00.000Z"},{"type":"Ready","status":"False","reason":"ReconciledMissingAdapters","message":"Required adapters not reporting Finalized=True: [network, validation]. Currently reporting: []","observed_generation":2,"created_time":"2026-01-01T00:00:00.000Z","last_updated_time":"2026-01-01T00:01:00.000Z","last_transition_time":"2026-01-01T00:00:00.000Z"},{"type":"Available","status":"False","reason":"AdaptersMissingReports","message":"Required adapters without a report: [network, validation]","observed_generation":1,"created_time":"2026-01-01T00:00:00.000Z","last_updated_time":"2026-01-01T00:00:00.000Z","last_transition_time":"2026-01-01T00:00:00.000Z"}]}}');
INSERT INTO fleet.answers VALUES ('4a07b6e70254ef88c8307a6bd4cb8189b5a0d966ab167bccabf9d90a6cc49c4b', 'a98592f21471d479bab1dacbaf97264e782d5f519139f868908e34999ac64999', 1767225780000, 200, '{"etag":"\"2.4\""}', '{"id":"019b76da-a800-77b5-b194-6e09545b5e95","kind":"Cluster","name":"eu-2","href":"/api/hyperfleet/v1/clusters/019b76da-a800-77b5-b194-6e09545b5e95","spec":{"region":"us"},"labels":{"env":"test"},"generation":2,"created_time":"2026-01-01T00:00:00.000Z","updated_time":"2026-01-01T00:03:00.000Z","created_by":"system@hyperfleet.local","updated_by":"system@hyperfleet.local","tenancy":{},"status":{"conditions":[{"type":"Reconciled","status":"False","reason":"ReconciledMissingAdapters","message":"Required adapters not reporting Available=True: [network, validation]. Currently reporting: [network, validation]","observed_generation":2,"created_time":"2026-01-01T00:00:00.000Z","last_updated_time":"2026-01-01T00:03:00.000Z","last_transition_time":"2026-01-01T00:03:00.000Z"},{"type":"LastKnownReconciled","status":"True","reason":"AllAdaptersReconciled","message":"All required adapters reported Available=True for the tracked generation","observed_generation":1,"created_time":"2026-01-01T00:00:00.000Z","last_updated_time":"2026-01-01T00:01:00.000Z","last_transition_time":"2026-01-01T00:01:00.000Z"},{"type":"Ready","status":"False","reason":"ReconciledMissingAdapters","message":"Required adapters not reporting Available=True: [network, validation]. Currently reporting: [network, validation]","observed_generation":2,"created_time":"2026-01-01T00:00:00.000Z","last_updated_time":"2026-01-01T00:03:00.000Z","last_transition_time":"2026-01-01T00:03:00.000Z"},{"type":"Available","status":"True","reason":"AllAdaptersReconciled","message":"All required adapters reported Available=True for the tracked generation","observed_generation":1,"created_time":"2026-01-01T00:00:00.000Z","last_updated_time":"2026-01-01T00:01:00.000Z","last_transition_time":"2026-01-01T00:01:00.000Z"},{"type":"NetworkSuccessful","status":"True","reason":"Reported","message":"by network","observed_generation":1,"created_time":"2026-01-01T00:01:00.000Z","last_updated_time":"2026-01-01T00:01:00.000Z","last_transition_time":"2026-01-01T00:01:00.000Z"},{"type":"ValidationSuccessful","status":"True","reason":"Reported","message":"by validation","observed_generation":1,"created_time":"2026-01-01T00:01:00.000Z","last_updated_time":"2026-01-01T00:01:00.000Z","last_transition_time":"2026-01-01T00:01:00.000Z"}]}}');
INSERT INTO fleet.answers VALUES ('35e3a38142152bf7ec568531ae13a8b8c77f643d3937778bce6e4df1b13e3a4e', '01ba4719c80b6fe911b091a7c05124b64eeece964e09c058ef8f9805daca546b', 1767225780000, 202, '{"etag":"\"2.4\""}', '{"id":"019b76da-a800-77b7-b50a-f6760839fca2","kind":"Cluster","name":"eu-3","href":"/api/hyperfleet/v1/clusters/019b76da-a800-77b7-b50a-f6760839fca2","spec":{"region":"eu"},"generation":2,"created_time":"2026-01-01T00:00:00.000Z","updated_time":"2026-01-01T00:03:00.000Z","created_by":"system@hyperfleet.local","updated_by":"system@hyperfleet.local","deleted_time":"2026-01-01T00:03:00.000Z","deleted_by":"system@hyperfleet.local","tenancy":{},"status":{"conditions":[{"type":"Reconciled","status":"False","reason":"ReconciledMissingAdapters","message":"Required adapters not reporting Finalized=True: [network, validation]. Currently reporting: [network, validation]","observed_generation":2,"created_time":"2026-01-01T00:00:00.000Z","last_updated_time":"2026-01-01T00:03:00.000Z","last_transition_time":"2026-01-01T00:03:00.000Z"},{"type":"LastKnownReconciled","status":"True","reason":"AllAdaptersReconciled","message":"All required adapters reported Available=True for the tracked generation","observed_generation":1,"created_time":"2026-01-01T00:00:00.000Z","last_updated_time":"2026-01-01T00:01:00.000Z","last_transition_time":"2026-01-01T00:01:00.000Z"},{"type":"Ready","status":"False","reason":"ReconciledMissingAdapters","message":"Required adapters not reporting Finalized=True: [network, validation]. Currently reporting: [network, validation]","observed_generation":2,"created_time":"2026-01-01T00:00:00.000Z","last_updated_time":"2026-01-01T00:03:00.000Z","last_transition_time":"2026-01-01T00:03:00.000Z"},{"type":"Available","status":"True","reason":"AllAdaptersReconciled","message":"All required adapters reported Available=True for the tracked generation","observed_generation":1,"created_time":"2026-01-01T00:00:00.000Z","last_updated_time":"2026-01-01T00:01:00.000Z","last_transition_time":"2026-01-01T00:01:00.000Z"},{"type":"NetworkSuccessful","status":"True","reason":"Reported","message":"by network","observed_generation":1,"created_time":"2026-01-01T00:01:00.000Z","last_updated_time":"2026-01-01T00:01:00.000Z","last_transition_time":"2026-01-01T00:01:00.000Z"},{"type":"ValidationSuccessful","status":"True","reason":"Reported","message":"by validation","observed_generation":1,"created_time":"2026-01-01T00:01:00.000Z","last_updated_time":"2026-01-01T00:01:00.000Z","last_transition_time":"2026-01-01T00:01:00.000Z"}]}}');
INSERT INTO fleet.answers VALUES ('39598bbbf6d3b899e73abaa7c9d03f76a90a90eb9327b58b7b4fefac14920890', 'a8ed7a7c69750e5115630bed9b169ded2f52e2ca00b9cdc0938a0cc55f6b6b59', 1767225780000, 201, '{"etag":"\"1.1\""}', '{"id":"019b76dd-6720-74ad-99f3-bd33d0c70425","kind":"Cluster","name":"eu-5","href":"/api/hyperfleet/v1/clusters/019b76dd-6720-74ad-99f3-bd33d0c70425","spec":{"region":"ap"},"generation":1,"created_time":"2026-01-01T00:03:00.000Z","updated_time":"2026-01-01T00:03:00.000Z","created_by":"system@hyperfleet.local","updated_by":"system@hyperfleet.local","tenancy":{},"status":{"conditions":[{"type":"Reconciled","status":"False","reason":"ReconciledMissingAdapters","message":"Required adapters not reporting Available=True: [network, validation]. Currently reporting: []","observed_generation":1,"created_time":"2026-01-01T00:03:00.000Z","last_updated_time":"2026-01-01T00:03:00.000Z","last_transition_time":"2026-01-01T00:03:00.000Z"},{"type":"LastKnownReconciled","status":"False","reason":"AdaptersMissingReports","message":"Required adapters without a report: [network, validation]","observed_generation":1,"created_time":"2026-01-01T00:03:00.000Z","last_updated_time":"2026-01-01T00:03:00.000Z","last_transition_time":"2026-01-01T00:03:00.000Z"},{"type":"Ready","status":"False","reason":"ReconciledMissingAdapters","message":"Required adapters not reporting Available=True: [network, validation]. Currently reporting: []","observed_generation":1,"created_time":"2026-01-01T00:03:00.000Z","last_updated_time":"2026-01-01T00:03:00.000Z","last_transition_time":"2026-01-01T00:03:00.000Z"},{"type":"Available","status":"False","reason":"AdaptersMissingReports","message":"Required adapters without a report: [network, validation]","observed_generation":1,"created_time":"2026-01-01T00:03:00.000Z","last_updated_time":"2026-01-01T00:03:00.000Z","last_transition_time":"2026-01-01T00:03:00.000Z"}]}}');

INSERT INTO fleet.changes VALUES ('019b76da-a800-77af-b5a1-981fc1f6c03c', '728', 1, 'Channel', '{}', NULL, NULL);
INSERT INTO fleet.changes VALUES ('019b76da-a800-77b1-ae5a-8cabb6c162f7', '737', 8, 'Cluster', '{}', NULL, NULL);
INSERT INTO fleet.changes VALUES ('019b76da-a800-77b3-bd25-7d3d823ad26d', '747', 13, 'NodePool', '{}', NULL, NULL);
INSERT INTO fleet.changes VALUES ('019b76da-a800-77b9-8ab8-c0abf61ac2ab', '752', 16, 'Cluster', '{}', 1767225720000, '{"id":"019b76da-a800-77b9-8ab8-c0abf61ac2ab","kind":"Cluster","name":"eu-4","href":"/api/hyperfleet/v1/clusters/019b76da-a800-77b9-8ab8-c0abf61ac2ab","spec":{"region":"eu"},"labels":{},"generation":2,"createdTime":1767225600000,"updatedTime":1767225660000,"createdBy":"system@hyperfleet.local","updatedBy":"system@hyperfleet.local","deletion":{"time":1767225660000,"by":"system@hyperfleet.local"},"references":{},"tenancy":{},"conditions":[{"type":"Reconciled","status":"True","reason":"ReconciledAll","message":"All required adapters report Finalized=True at generation 2","observedGeneration":2,"createdTime":1767225600000,"lastUpdatedTime":1767225720000,"lastTransitionTime":1767225720000},{"type":"LastKnownReconciled","status":"False","reason":"AdapterReportedNotAvailable","message":"Required adapters reporting Available=False: [network, validation]","observedGeneration":2,"createdTime":1767225600000,"lastUpdatedTime":1767225720000,"lastTransitionTime":1767225600000},{"type":"Ready","status":"True","reason":"ReconciledAll","message":"All required adapters report Finalized=True at generation 2","observedGeneration":2,"createdTime":1767225600000,"lastUpdatedTime":1767225720000,"lastTransitionTime":1767225720000},{"type":"Available","status":"False","reason":"AdapterReportedNotAvailable","message":"Required adapters reporting Available=False: [network, validation]","observedGeneration":2,"createdTime":1767225600000,"lastUpdatedTime":1767225720000,"lastTransitionTime":1767225600000},{"type":"NetworkSuccessful","status":"False","reason":"Reported","message":"by network","observedGeneration":2,"createdTime":1767225720000,"lastUpdatedTime":1767225720000,"lastTransitionTime":1767225720000},{"type":"ValidationSuccessful","status":"False","reason":"Reported","message":"by validation","observedGeneration":2,"createdTime":1767225720000,"lastUpdatedTime":1767225720000,"lastTransitionTime":1767225720000}]}');
INSERT INTO fleet.changes VALUES ('019b76da-a800-77b5-b194-6e09545b5e95', '754', 17, 'Cluster', '{}', NULL, NULL);
INSERT INTO fleet.changes VALUES ('019b76da-a800-77b7-b50a-f6760839fca2', '755', 18, 'Cluster', '{}', NULL, NULL);
INSERT INTO fleet.changes VALUES ('019b76dd-6720-74ad-99f3-bd33d0c70425', '756', 19, 'Cluster', '{}', NULL, NULL);

INSERT INTO fleet.due_work VALUES ('019b76da-a800-77af-b5a1-981fc1f6c03c', 'Channel', 1767225600000, 'create', 1, NULL, 1, NULL, NULL, NULL, DEFAULT, DEFAULT);
INSERT INTO fleet.due_work VALUES ('019b76da-a800-77b1-ae5a-8cabb6c162f7', 'Cluster', 1767225600000, 'create', 2, 1767227595975, 3, NULL, NULL, NULL, DEFAULT, DEFAULT);
INSERT INTO fleet.due_work VALUES ('019b76da-a800-77b3-bd25-7d3d823ad26d', 'NodePool', 1767225600000, 'create', 1, 1767227501359, 2, NULL, NULL, NULL, DEFAULT, DEFAULT);
INSERT INTO fleet.due_work VALUES ('019b76da-a800-77b5-b194-6e09545b5e95', 'Cluster', 1767225600000, 'change', 3, 1767225790000, 4, NULL, NULL, NULL, DEFAULT, DEFAULT);
INSERT INTO fleet.due_work VALUES ('019b76da-a800-77b7-b50a-f6760839fca2', 'Cluster', 1767225600000, 'delete', 3, 1767225790000, 4, NULL, NULL, NULL, DEFAULT, DEFAULT);
INSERT INTO fleet.due_work VALUES ('019b76dd-6720-74ad-99f3-bd33d0c70425', 'Cluster', 1767225780000, 'create', 1, 1767225790000, 1, NULL, NULL, NULL, DEFAULT, DEFAULT);

INSERT INTO fleet.feed VALUES (1, '0', 0);

INSERT INTO fleet.journal VALUES ('019b76da-a800-77b0-bdeb-8c6ef8d18a65', 1767225600000, 'create', '019b76da-a800-77af-b5a1-981fc1f6c03c', 'Channel', 'stable', '{}', 'system@hyperfleet.local', '019b76da-a800-70ef-a1ea-a62fbee41cd4', 1, NULL, NULL);
INSERT INTO fleet.journal VALUES ('019b76da-a800-77b2-be86-8ebbd0d2ba94', 1767225600000, 'create', '019b76da-a800-77b1-ae5a-8cabb6c162f7', 'Cluster', 'eu-1', '{}', 'system@hyperfleet.local', '019b76da-a800-70f0-805d-841d6453fb80', 1, NULL, NULL);
INSERT INTO fleet.journal VALUES ('019b76da-a800-77b4-a560-cbb1cada9a76', 1767225600000, 'create', '019b76da-a800-77b3-bd25-7d3d823ad26d', 'NodePool', 'blue', '{}', 'system@hyperfleet.local', '019b76da-a800-70f1-bf60-9bfbbcbc8852', 1, NULL, NULL);
INSERT INTO fleet.journal VALUES ('019b76da-a800-77b6-bae6-40574c5c8562', 1767225600000, 'create', '019b76da-a800-77b5-b194-6e09545b5e95', 'Cluster', 'eu-2', '{}', 'system@hyperfleet.local', '019b76da-a800-70f2-9024-d3abf6d3cecd', 1, NULL, NULL);
INSERT INTO fleet.journal VALUES ('019b76da-a800-77b8-bea3-4857f789d69e', 1767225600000, 'create', '019b76da-a800-77b7-b50a-f6760839fca2', 'Cluster', 'eu-3', '{}', 'system@hyperfleet.local', '019b76da-a800-70f3-ae1a-ed1a87c8c07c', 1, NULL, NULL);
INSERT INTO fleet.journal VALUES ('019b76da-a800-77ba-8548-e96d3f4571fa', 1767225600000, 'create', '019b76da-a800-77b9-8ab8-c0abf61ac2ab', 'Cluster', 'eu-4', '{}', 'system@hyperfleet.local', '019b76da-a800-70f4-be0e-d7c12a00af60', 1, NULL, NULL);
INSERT INTO fleet.journal VALUES ('019b76db-9260-70a8-8578-6196a0ca0a9c', 1767225660000, 'report', '019b76da-a800-77b1-ae5a-8cabb6c162f7', 'Cluster', 'eu-1', '{}', 'system@hyperfleet.local', '019b76db-9260-74b7-83ad-725892fac0f8', 1, 'validation', '{"outcome":"verdict","report":{"observed_generation":1,"observed_time":"2026-01-01T00:01:00.000Z","conditions":[{"type":"Available","status":"True","reason":"Reported","message":"by validation"},{"type":"Applied","status":"True"},{"type":"Health","status":"True"}],"data":{"adapter":"validation","count":7}}}');
INSERT INTO fleet.journal VALUES ('019b76db-9260-70a9-86ce-7b910d6fe91d', 1767225660000, 'report', '019b76da-a800-77b1-ae5a-8cabb6c162f7', 'Cluster', 'eu-1', '{}', 'system@hyperfleet.local', '019b76db-9260-74b8-ac3e-459ebe7f5ebe', 1, 'validation', '{"outcome":"GenerationUnknown","report":{"observed_generation":8,"observed_time":"2026-01-01T00:01:00.000Z","conditions":[{"type":"Available","status":"True","reason":"Reported","message":"by validation"},{"type":"Applied","status":"True"},{"type":"Health","status":"True"}],"data":{"adapter":"validation","count":7}}}');
INSERT INTO fleet.journal VALUES ('019b76db-9260-70aa-825d-2e9ac9b79959', 1767225660000, 'report', '019b76da-a800-77b1-ae5a-8cabb6c162f7', 'Cluster', 'eu-1', '{}', 'system@hyperfleet.local', '019b76db-9260-74ba-9367-b11cc6d51cce', 1, 'network', '{"outcome":"verdict","report":{"observed_generation":1,"observed_time":"2026-01-01T00:01:00.000Z","conditions":[{"type":"Available","status":"True","reason":"Reported","message":"by network"},{"type":"Applied","status":"True"},{"type":"Health","status":"True"}],"data":{"adapter":"network","count":7}}}');
INSERT INTO fleet.journal VALUES ('019b76db-9260-70ab-a93d-528a4a184318', 1767225660000, 'report', '019b76da-a800-77b1-ae5a-8cabb6c162f7', 'Cluster', 'eu-1', '{}', 'system@hyperfleet.local', '019b76db-9260-74bb-b925-4829ecd7004d', 1, 'network', '{"outcome":"GenerationUnknown","report":{"observed_generation":8,"observed_time":"2026-01-01T00:01:00.000Z","conditions":[{"type":"Available","status":"True","reason":"Reported","message":"by network"},{"type":"Applied","status":"True"},{"type":"Health","status":"True"}],"data":{"adapter":"network","count":7}}}');
INSERT INTO fleet.journal VALUES ('019b76db-9260-70ac-a105-6d2e20c77995', 1767225660000, 'report', '019b76da-a800-77b5-b194-6e09545b5e95', 'Cluster', 'eu-2', '{}', 'system@hyperfleet.local', '019b76db-9260-74bd-907f-8497a0121fac', 1, 'validation', '{"outcome":"verdict","report":{"observed_generation":1,"observed_time":"2026-01-01T00:01:00.000Z","conditions":[{"type":"Available","status":"True","reason":"Reported","message":"by validation"},{"type":"Applied","status":"True"},{"type":"Health","status":"True"}],"data":{"adapter":"validation","count":7}}}');
INSERT INTO fleet.journal VALUES ('019b76db-9260-70ad-8f49-3462b8e1615b', 1767225660000, 'report', '019b76da-a800-77b5-b194-6e09545b5e95', 'Cluster', 'eu-2', '{}', 'system@hyperfleet.local', '019b76db-9260-74be-8a62-bdbc482ba32d', 1, 'validation', '{"outcome":"GenerationUnknown","report":{"observed_generation":8,"observed_time":"2026-01-01T00:01:00.000Z","conditions":[{"type":"Available","status":"True","reason":"Reported","message":"by validation"},{"type":"Applied","status":"True"},{"type":"Health","status":"True"}],"data":{"adapter":"validation","count":7}}}');
INSERT INTO fleet.journal VALUES ('019b76db-9260-70ae-ad1f-2bb19784a0df', 1767225660000, 'report', '019b76da-a800-77b5-b194-6e09545b5e95', 'Cluster', 'eu-2', '{}', 'system@hyperfleet.local', '019b76db-9260-74c0-baf2-7bd655935df4', 1, 'network', '{"outcome":"verdict","report":{"observed_generation":1,"observed_time":"2026-01-01T00:01:00.000Z","conditions":[{"type":"Available","status":"True","reason":"Reported","message":"by network"},{"type":"Applied","status":"True"},{"type":"Health","status":"True"}],"data":{"adapter":"network","count":7}}}');
INSERT INTO fleet.journal VALUES ('019b76db-9260-70af-b617-11db3091f6f6', 1767225660000, 'report', '019b76da-a800-77b5-b194-6e09545b5e95', 'Cluster', 'eu-2', '{}', 'system@hyperfleet.local', '019b76db-9260-74c1-84c4-98639eb8b3e6', 1, 'network', '{"outcome":"GenerationUnknown","report":{"observed_generation":8,"observed_time":"2026-01-01T00:01:00.000Z","conditions":[{"type":"Available","status":"True","reason":"Reported","message":"by network"},{"type":"Applied","status":"True"},{"type":"Health","status":"True"}],"data":{"adapter":"network","count":7}}}');
INSERT INTO fleet.journal VALUES ('019b76db-9260-70b0-963e-cb15ced2d84b', 1767225660000, 'report', '019b76da-a800-77b7-b50a-f6760839fca2', 'Cluster', 'eu-3', '{}', 'system@hyperfleet.local', '019b76db-9260-74c3-9175-27bcd5489412', 1, 'validation', '{"outcome":"verdict","report":{"observed_generation":1,"observed_time":"2026-01-01T00:01:00.000Z","conditions":[{"type":"Available","status":"True","reason":"Reported","message":"by validation"},{"type":"Applied","status":"True"},{"type":"Health","status":"True"}],"data":{"adapter":"validation","count":7}}}');
INSERT INTO fleet.journal VALUES ('019b76db-9260-70b1-b758-a33a0fb3ba15', 1767225660000, 'report', '019b76da-a800-77b7-b50a-f6760839fca2', 'Cluster', 'eu-3', '{}', 'system@hyperfleet.local', '019b76db-9260-74c4-b76d-c6089ab52bce', 1, 'validation', '{"outcome":"GenerationUnknown","report":{"observed_generation":8,"observed_time":"2026-01-01T00:01:00.000Z","conditions":[{"type":"Available","status":"True","reason":"Reported","message":"by validation"},{"type":"Applied","status":"True"},{"type":"Health","status":"True"}],"data":{"adapter":"validation","count":7}}}');
INSERT INTO fleet.journal VALUES ('019b76db-9260-70b2-9fc6-99247facd7f9', 1767225660000, 'report', '019b76da-a800-77b7-b50a-f6760839fca2', 'Cluster', 'eu-3', '{}', 'system@hyperfleet.local', '019b76db-9260-74c6-aa3b-53cf643de20b', 1, 'network', '{"outcome":"verdict","report":{"observed_generation":1,"observed_time":"2026-01-01T00:01:00.000Z","conditions":[{"type":"Available","status":"True","reason":"Reported","message":"by network"},{"type":"Applied","status":"True"},{"type":"Health","status":"True"}],"data":{"adapter":"network","count":7}}}');
INSERT INTO fleet.journal VALUES ('019b76db-9260-70b3-af3a-84fe3a70ade0', 1767225660000, 'report', '019b76da-a800-77b7-b50a-f6760839fca2', 'Cluster', 'eu-3', '{}', 'system@hyperfleet.local', '019b76db-9260-74c7-9b4c-b60fef3dd968', 1, 'network', '{"outcome":"GenerationUnknown","report":{"observed_generation":8,"observed_time":"2026-01-01T00:01:00.000Z","conditions":[{"type":"Available","status":"True","reason":"Reported","message":"by network"},{"type":"Applied","status":"True"},{"type":"Health","status":"True"}],"data":{"adapter":"network","count":7}}}');
INSERT INTO fleet.journal VALUES ('019b76db-9260-70b4-a821-13e6c56b37ca', 1767225660000, 'report', '019b76da-a800-77b3-bd25-7d3d823ad26d', 'NodePool', 'blue', '{}', 'system@hyperfleet.local', '019b76db-9260-74c9-a373-8a4c3ba8d48a', 1, 'pool', '{"outcome":"verdict","report":{"observed_generation":1,"observed_time":"2026-01-01T00:01:00.000Z","conditions":[{"type":"Available","status":"True","reason":"Reported","message":"by pool"},{"type":"Applied","status":"True"},{"type":"Health","status":"True"}],"data":{"adapter":"pool","count":7}}}');
INSERT INTO fleet.journal VALUES ('019b76db-9260-70b5-ac7f-50fc2cf9c417', 1767225660000, 'report', '019b76da-a800-77b3-bd25-7d3d823ad26d', 'NodePool', 'blue', '{}', 'system@hyperfleet.local', '019b76db-9260-74ca-bc7e-b65ac38307f3', 1, 'pool', '{"outcome":"GenerationUnknown","report":{"observed_generation":8,"observed_time":"2026-01-01T00:01:00.000Z","conditions":[{"type":"Available","status":"True","reason":"Reported","message":"by pool"},{"type":"Applied","status":"True"},{"type":"Health","status":"True"}],"data":{"adapter":"pool","count":7}}}');
INSERT INTO fleet.journal VALUES ('019b76db-9260-70b6-a746-9d7171996de8', 1767225660000, 'delete', '019b76da-a800-77b9-8ab8-c0abf61ac2ab', 'Cluster', 'eu-4', '{}', 'system@hyperfleet.local', '019b76db-9260-74cc-b1bb-86eb9ac0ad24', 2, NULL, NULL);
INSERT INTO fleet.journal VALUES ('019b76dc-7cc0-7133-9051-fe87dc341120', 1767225720000, 'report', '019b76da-a800-77b9-8ab8-c0abf61ac2ab', 'Cluster', 'eu-4', '{}', 'system@hyperfleet.local', '019b76dc-7cc0-7567-b6fe-acb678a072c3', 2, 'validation', '{"outcome":"verdict","report":{"observed_generation":2,"observed_time":"2026-01-01T00:02:00.000Z","conditions":[{"type":"Available","status":"False","reason":"Reported","message":"by validation"},{"type":"Applied","status":"True"},{"type":"Health","status":"True"},{"type":"Finalized","status":"True"}],"data":{"adapter":"validation","count":7}}}');
INSERT INTO fleet.journal VALUES ('019b76dc-7cc0-7134-a131-d32796457515', 1767225720000, 'report', '019b76da-a800-77b9-8ab8-c0abf61ac2ab', 'Cluster', 'eu-4', '{}', 'system@hyperfleet.local', '019b76dc-7cc0-7568-b9fa-09a893bf44a0', 2, 'network', '{"outcome":"verdict","report":{"observed_generation":2,"observed_time":"2026-01-01T00:02:00.000Z","conditions":[{"type":"Available","status":"False","reason":"Reported","message":"by network"},{"type":"Applied","status":"True"},{"type":"Health","status":"True"},{"type":"Finalized","status":"True"}],"data":{"adapter":"network","count":7}}}');
INSERT INTO fleet.journal VALUES ('019b76dd-6720-74ab-aeb4-dccf3603fa71', 1767225780000, 'patch', '019b76da-a800-77b5-b194-6e09545b5e95', 'Cluster', 'eu-2', '{}', 'system@hyperfleet.local', '019b76dd-6720-7177-956d-ef356fe35a39', 2, NULL, NULL);
INSERT INTO fleet.journal VALUES ('019b76dd-6720-74ac-9331-0397699339e4', 1767225780000, 'delete', '019b76da-a800-77b7-b50a-f6760839fca2', 'Cluster', 'eu-3', '{}', 'system@hyperfleet.local', '019b76dd-6720-7179-9d5b-a9bac8e7aa76', 2, NULL, NULL);
INSERT INTO fleet.journal VALUES ('019b76dd-6720-74ae-a0b1-6cd6e9f19d91', 1767225780000, 'create', '019b76dd-6720-74ad-99f3-bd33d0c70425', 'Cluster', 'eu-5', '{}', 'system@hyperfleet.local', '019b76dd-6720-717a-b298-eafe542dc4c6', 1, NULL, NULL);

INSERT INTO fleet.resource_conditions VALUES ('019b76da-a800-77b1-ae5a-8cabb6c162f7', 'ValidationSuccessful', 'True', 1, 1767225660000, 1767225660000);
INSERT INTO fleet.resource_conditions VALUES ('019b76da-a800-77b1-ae5a-8cabb6c162f7', 'Reconciled', 'True', 1, 1767225660000, 1767225660000);
INSERT INTO fleet.resource_conditions VALUES ('019b76da-a800-77b1-ae5a-8cabb6c162f7', 'LastKnownReconciled', 'True', 1, 1767225660000, 1767225660000);
INSERT INTO fleet.resource_conditions VALUES ('019b76da-a800-77b1-ae5a-8cabb6c162f7', 'NetworkSuccessful', 'True', 1, 1767225660000, 1767225660000);
INSERT INTO fleet.resource_conditions VALUES ('019b76da-a800-77b5-b194-6e09545b5e95', 'ValidationSuccessful', 'True', 1, 1767225660000, 1767225660000);
INSERT INTO fleet.resource_conditions VALUES ('019b76da-a800-77b5-b194-6e09545b5e95', 'LastKnownReconciled', 'True', 1, 1767225660000, 1767225660000);
INSERT INTO fleet.resource_conditions VALUES ('019b76da-a800-77b5-b194-6e09545b5e95', 'NetworkSuccessful', 'True', 1, 1767225660000, 1767225660000);
INSERT INTO fleet.resource_conditions VALUES ('019b76da-a800-77b7-b50a-f6760839fca2', 'ValidationSuccessful', 'True', 1, 1767225660000, 1767225660000);
INSERT INTO fleet.resource_conditions VALUES ('019b76da-a800-77b7-b50a-f6760839fca2', 'LastKnownReconciled', 'True', 1, 1767225660000, 1767225660000);
INSERT INTO fleet.resource_conditions VALUES ('019b76da-a800-77b7-b50a-f6760839fca2', 'NetworkSuccessful', 'True', 1, 1767225660000, 1767225660000);
INSERT INTO fleet.resource_conditions VALUES ('019b76da-a800-77b3-bd25-7d3d823ad26d', 'Reconciled', 'True', 1, 1767225660000, 1767225660000);
INSERT INTO fleet.resource_conditions VALUES ('019b76da-a800-77b3-bd25-7d3d823ad26d', 'LastKnownReconciled', 'True', 1, 1767225660000, 1767225660000);
INSERT INTO fleet.resource_conditions VALUES ('019b76da-a800-77b3-bd25-7d3d823ad26d', 'PoolSuccessful', 'True', 1, 1767225660000, 1767225660000);
INSERT INTO fleet.resource_conditions VALUES ('019b76da-a800-77b5-b194-6e09545b5e95', 'Reconciled', 'False', 2, 1767225780000, 1767225780000);
INSERT INTO fleet.resource_conditions VALUES ('019b76da-a800-77b7-b50a-f6760839fca2', 'Reconciled', 'False', 2, 1767225780000, 1767225780000);
INSERT INTO fleet.resource_conditions VALUES ('019b76dd-6720-74ad-99f3-bd33d0c70425', 'Reconciled', 'False', 1, 1767225780000, 1767225780000);
INSERT INTO fleet.resource_conditions VALUES ('019b76dd-6720-74ad-99f3-bd33d0c70425', 'LastKnownReconciled', 'False', 1, 1767225780000, 1767225780000);

INSERT INTO fleet.resource_labels VALUES ('019b76da-a800-77b1-ae5a-8cabb6c162f7', 'env', 'production');
INSERT INTO fleet.resource_labels VALUES ('019b76da-a800-77b1-ae5a-8cabb6c162f7', 'shard', '1');
INSERT INTO fleet.resource_labels VALUES ('019b76da-a800-77b3-bd25-7d3d823ad26d', 'tier', 'web');
INSERT INTO fleet.resource_labels VALUES ('019b76da-a800-77b5-b194-6e09545b5e95', 'env', 'test');

INSERT INTO fleet.resource_references VALUES ('019b76da-a800-77b1-ae5a-8cabb6c162f7', 'channel', 0, '019b76da-a800-77af-b5a1-981fc1f6c03c', 'Channel', '/api/hyperfleet/v1/channels/019b76da-a800-77af-b5a1-981fc1f6c03c');

INSERT INTO fleet.resources VALUES ('019b76da-a800-77af-b5a1-981fc1f6c03c', 'Channel', 'stable', '/api/hyperfleet/v1/channels/019b76da-a800-77af-b5a1-981fc1f6c03c', NULL, NULL, NULL, 1, 'system@hyperfleet.local', 'system@hyperfleet.local', NULL, 1767225600000, 1767225600000, NULL, '{}', '{}', '{}', '[]', '', 2, '{"versions": ["1.0", "1.1"]}', NULL);
INSERT INTO fleet.resources VALUES ('019b76da-a800-77b3-bd25-7d3d823ad26d', 'NodePool', 'blue', '/api/hyperfleet/v1/clusters/019b76da-a800-77b1-ae5a-8cabb6c162f7/nodepools/019b76da-a800-77b3-bd25-7d3d823ad26d', '019b76da-a800-77b1-ae5a-8cabb6c162f7', 'Cluster', '/api/hyperfleet/v1/clusters/019b76da-a800-77b1-ae5a-8cabb6c162f7', 1, 'system@hyperfleet.local', 'system@hyperfleet.local', NULL, 1767225600000, 1767225600000, NULL, '{}', '{"tier":"web"}', '{}', '[{"type":"Reconciled","status":"True","reason":"ReconciledAll","message":"All required adapters report Available=True at generation 1","observedGeneration":1,"createdTime":1767225600000,"lastUpdatedTime":1767225660000,"lastTransitionTime":1767225660000},{"type":"LastKnownReconciled","status":"True","reason":"AllAdaptersReconciled","message":"All required adapters reported Available=True for the tracked generation","observedGeneration":1,"createdTime":1767225600000,"lastUpdatedTime":1767225660000,"lastTransitionTime":1767225660000},{"type":"PoolSuccessful","status":"True","reason":"Reported","message":"by pool","observedGeneration":1,"createdTime":1767225660000,"lastUpdatedTime":1767225660000,"lastTransitionTime":1767225660000}]', 'Reconciled
LastKnownReconciled
PoolSuccessful', 2, '{"replicas": 3}', NULL);
INSERT INTO fleet.resources VALUES ('019b76da-a800-77b7-b50a-f6760839fca2', 'Cluster', 'eu-3', '/api/hyperfleet/v1/clusters/019b76da-a800-77b7-b50a-f6760839fca2', NULL, NULL, NULL, 2, 'system@hyperfleet.local', 'system@hyperfleet.local', 'system@hyperfleet.local', 1767225600000, 1767225780000, 1767225780000, '{}', '{}', '{}', '[{"type":"Reconciled","status":"False","reason":"ReconciledMissingAdapters","message":"Required adapters not reporting Finalized=True: [network, validation]. Currently reporting: [network, validation]","observedGeneration":2,"createdTime":1767225600000,"lastUpdatedTime":1767225780000,"lastTransitionTime":1767225780000},{"type":"LastKnownReconciled","status":"True","reason":"AllAdaptersReconciled","message":"All required adapters reported Available=True for the tracked generation","observedGeneration":1,"createdTime":1767225600000,"lastUpdatedTime":1767225660000,"lastTransitionTime":1767225660000},{"type":"NetworkSuccessful","status":"True","reason":"Reported","message":"by network","observedGeneration":1,"createdTime":1767225660000,"lastUpdatedTime":1767225660000,"lastTransitionTime":1767225660000},{"type":"ValidationSuccessful","status":"True","reason":"Reported","message":"by validation","observedGeneration":1,"createdTime":1767225660000,"lastUpdatedTime":1767225660000,"lastTransitionTime":1767225660000}]', 'Reconciled
LastKnownReconciled
NetworkSuccessful
ValidationSuccessful', 4, '{"region": "eu"}', NULL);
INSERT INTO fleet.resources VALUES ('019b76da-a800-77b1-ae5a-8cabb6c162f7', 'Cluster', 'eu-1', '/api/hyperfleet/v1/clusters/019b76da-a800-77b1-ae5a-8cabb6c162f7', NULL, NULL, NULL, 1, 'system@hyperfleet.local', 'system@hyperfleet.local', NULL, 1767225600000, 1767225600000, NULL, '{}', '{"env":"production","shard":"1"}', '{"channel":[{"id":"019b76da-a800-77af-b5a1-981fc1f6c03c","kind":"Channel","href":"/api/hyperfleet/v1/channels/019b76da-a800-77af-b5a1-981fc1f6c03c"}]}', '[{"type":"Reconciled","status":"True","reason":"ReconciledAll","message":"All required adapters report Available=True at generation 1","observedGeneration":1,"createdTime":1767225600000,"lastUpdatedTime":1767225660000,"lastTransitionTime":1767225660000},{"type":"LastKnownReconciled","status":"True","reason":"AllAdaptersReconciled","message":"All required adapters reported Available=True for the tracked generation","observedGeneration":1,"createdTime":1767225600000,"lastUpdatedTime":1767225660000,"lastTransitionTime":1767225660000},{"type":"NetworkSuccessful","status":"True","reason":"Reported","message":"by network","observedGeneration":1,"createdTime":1767225660000,"lastUpdatedTime":1767225660000,"lastTransitionTime":1767225660000},{"type":"ValidationSuccessful","status":"True","reason":"Reported","message":"by validation","observedGeneration":1,"createdTime":1767225660000,"lastUpdatedTime":1767225660000,"lastTransitionTime":1767225660000}]', 'Reconciled
LastKnownReconciled
NetworkSuccessful
ValidationSuccessful', 4, '{"limits": {"cpu": "2", "nodes": [1, 2, 3]}, "region": "eu"}', NULL);
INSERT INTO fleet.resources VALUES ('019b76da-a800-77b5-b194-6e09545b5e95', 'Cluster', 'eu-2', '/api/hyperfleet/v1/clusters/019b76da-a800-77b5-b194-6e09545b5e95', NULL, NULL, NULL, 2, 'system@hyperfleet.local', 'system@hyperfleet.local', NULL, 1767225600000, 1767225780000, NULL, '{}', '{"env":"test"}', '{}', '[{"type":"Reconciled","status":"False","reason":"ReconciledMissingAdapters","message":"Required adapters not reporting Available=True: [network, validation]. Currently reporting: [network, validation]","observedGeneration":2,"createdTime":1767225600000,"lastUpdatedTime":1767225780000,"lastTransitionTime":1767225780000},{"type":"LastKnownReconciled","status":"True","reason":"AllAdaptersReconciled","message":"All required adapters reported Available=True for the tracked generation","observedGeneration":1,"createdTime":1767225600000,"lastUpdatedTime":1767225660000,"lastTransitionTime":1767225660000},{"type":"NetworkSuccessful","status":"True","reason":"Reported","message":"by network","observedGeneration":1,"createdTime":1767225660000,"lastUpdatedTime":1767225660000,"lastTransitionTime":1767225660000},{"type":"ValidationSuccessful","status":"True","reason":"Reported","message":"by validation","observedGeneration":1,"createdTime":1767225660000,"lastUpdatedTime":1767225660000,"lastTransitionTime":1767225660000}]', 'Reconciled
LastKnownReconciled
NetworkSuccessful
ValidationSuccessful', 4, '{"region": "us"}', NULL);
INSERT INTO fleet.resources VALUES ('019b76dd-6720-74ad-99f3-bd33d0c70425', 'Cluster', 'eu-5', '/api/hyperfleet/v1/clusters/019b76dd-6720-74ad-99f3-bd33d0c70425', NULL, NULL, NULL, 1, 'system@hyperfleet.local', 'system@hyperfleet.local', NULL, 1767225780000, 1767225780000, NULL, '{}', '{}', '{}', '[{"type":"Reconciled","status":"False","reason":"ReconciledMissingAdapters","message":"Required adapters not reporting Available=True: [network, validation]. Currently reporting: []","observedGeneration":1,"createdTime":1767225780000,"lastUpdatedTime":1767225780000,"lastTransitionTime":1767225780000},{"type":"LastKnownReconciled","status":"False","reason":"AdaptersMissingReports","message":"Required adapters without a report: [network, validation]","observedGeneration":1,"createdTime":1767225780000,"lastUpdatedTime":1767225780000,"lastTransitionTime":1767225780000}]', 'Reconciled
LastKnownReconciled', 1, '{"region": "ap"}', NULL);

INSERT INTO fleet.schema_version VALUES (1);

INSERT INTO fleet.trimmed VALUES (1, 0);

SELECT pg_catalog.setval('fleet.change_numbers', 19, true);

ALTER TABLE ONLY fleet.adapter_statuses
    ADD CONSTRAINT adapter_statuses_pkey PRIMARY KEY (resource_id, adapter);

ALTER TABLE ONLY fleet.answers
    ADD CONSTRAINT answers_pkey PRIMARY KEY (key);

ALTER TABLE ONLY fleet.changes
    ADD CONSTRAINT changes_pkey PRIMARY KEY (resource_id);

ALTER TABLE ONLY fleet.due_work
    ADD CONSTRAINT due_work_pkey PRIMARY KEY (resource_id);

ALTER TABLE ONLY fleet.feed
    ADD CONSTRAINT feed_pkey PRIMARY KEY (id);

ALTER TABLE ONLY fleet.journal
    ADD CONSTRAINT journal_pkey PRIMARY KEY (id);

ALTER TABLE ONLY fleet.refresh_ttls
    ADD CONSTRAINT refresh_ttls_pkey PRIMARY KEY (kind);

ALTER TABLE ONLY fleet.resource_conditions
    ADD CONSTRAINT resource_conditions_pkey PRIMARY KEY (resource_id, type);

ALTER TABLE ONLY fleet.resource_labels
    ADD CONSTRAINT resource_labels_pkey PRIMARY KEY (resource_id, key);

ALTER TABLE ONLY fleet.resource_references
    ADD CONSTRAINT resource_references_pkey PRIMARY KEY (resource_id, type, ordinal);

ALTER TABLE ONLY fleet.resources
    ADD CONSTRAINT resources_pkey PRIMARY KEY (id);

ALTER TABLE ONLY fleet.schema_version
    ADD CONSTRAINT schema_version_pkey PRIMARY KEY (version);

ALTER TABLE ONLY fleet.trimmed
    ADD CONSTRAINT trimmed_pkey PRIMARY KEY (id);

CREATE INDEX answers_time ON fleet.answers USING btree ("time");

CREATE INDEX changes_position ON fleet.changes USING btree (transaction, number);

CREATE INDEX changes_removed ON fleet.changes USING btree (removed_time) WHERE (removed_time IS NOT NULL);

CREATE INDEX due_work_next ON fleet.due_work USING btree (kind, next_time) WHERE (next_time IS NOT NULL);

CREATE INDEX journal_audit ON fleet.journal USING btree (id) WHERE (action <> 'report'::text);

CREATE INDEX journal_audit_tenant ON fleet.journal USING btree (tenancy, id) WHERE (action <> 'report'::text);

CREATE INDEX journal_resource ON fleet.journal USING btree (resource_id, id);

CREATE INDEX resource_conditions_last_transition_time ON fleet.resource_conditions USING btree (type, last_transition_time, resource_id) WHERE (type = ANY (ARRAY['Reconciled'::text, 'LastKnownReconciled'::text]));

CREATE INDEX resource_conditions_last_updated_time ON fleet.resource_conditions USING btree (type, last_updated_time, resource_id) WHERE (type = ANY (ARRAY['Reconciled'::text, 'LastKnownReconciled'::text]));

CREATE INDEX resource_conditions_observed_generation ON fleet.resource_conditions USING btree (type, observed_generation, resource_id) WHERE (type = ANY (ARRAY['Reconciled'::text, 'LastKnownReconciled'::text]));

CREATE INDEX resource_conditions_status ON fleet.resource_conditions USING btree (type, status, resource_id);

CREATE INDEX resource_labels_value ON fleet.resource_labels USING btree (key, value, resource_id);

CREATE INDEX resource_references_target ON fleet.resource_references USING btree (target_id, type, resource_id);

CREATE UNIQUE INDEX resources_child_name ON fleet.resources USING btree (owner_id, kind, name) WHERE ((owner_id IS NOT NULL) AND (deleted_time IS NULL));

CREATE INDEX resources_created ON fleet.resources USING btree (created_time, id);

CREATE INDEX resources_created_by ON fleet.resources USING btree (created_by, created_time, id);

CREATE INDEX resources_deleted ON fleet.resources USING btree (deleted_time, id) WHERE (deleted_time IS NOT NULL);

CREATE INDEX resources_kind_created ON fleet.resources USING btree (kind, created_time, id);

CREATE INDEX resources_kind_name ON fleet.resources USING btree (kind, name, id);

CREATE INDEX resources_name ON fleet.resources USING btree (name, id);

CREATE INDEX resources_owner_created ON fleet.resources USING btree (owner_id, created_time, id);

CREATE UNIQUE INDEX resources_root_name ON fleet.resources USING btree (kind, tenancy, name) WHERE ((owner_id IS NULL) AND (deleted_time IS NULL));

CREATE INDEX resources_spec ON fleet.resources USING gin (spec jsonb_path_ops);

CREATE INDEX resources_tenant_created ON fleet.resources USING btree (tenancy, kind, created_time, id);

CREATE INDEX resources_updated ON fleet.resources USING btree (updated_time, id);

CREATE INDEX resources_updated_by ON fleet.resources USING btree (updated_by, created_time, id);

CREATE STATISTICS fleet.resource_conditions_by_type (mcv) ON type, status FROM fleet.resource_conditions;

CREATE STATISTICS fleet.resource_labels_by_key (mcv) ON key, value FROM fleet.resource_labels;

ALTER TABLE ONLY fleet.adapter_statuses
    ADD CONSTRAINT adapter_statuses_resource_id_fkey FOREIGN KEY (resource_id) REFERENCES fleet.resources(id) ON DELETE CASCADE;

ALTER TABLE ONLY fleet.due_work
    ADD CONSTRAINT due_work_resource_id_fkey FOREIGN KEY (resource_id) REFERENCES fleet.resources(id) ON DELETE CASCADE;

ALTER TABLE ONLY fleet.resource_conditions
    ADD CONSTRAINT resource_conditions_resource_id_fkey FOREIGN KEY (resource_id) REFERENCES fleet.resources(id) ON DELETE CASCADE;

ALTER TABLE ONLY fleet.resource_labels
    ADD CONSTRAINT resource_labels_resource_id_fkey FOREIGN KEY (resource_id) REFERENCES fleet.resources(id) ON DELETE CASCADE;

ALTER TABLE ONLY fleet.resource_references
    ADD CONSTRAINT resource_references_resource_id_fkey FOREIGN KEY (resource_id) REFERENCES fleet.resources(id) ON DELETE CASCADE;

ALTER TABLE ONLY fleet.resource_references
    ADD CONSTRAINT resource_references_target_id_fkey FOREIGN KEY (target_id) REFERENCES fleet.resources(id) ON DELETE CASCADE;

ALTER TABLE ONLY fleet.resources
    ADD CONSTRAINT resources_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES fleet.resources(id);
