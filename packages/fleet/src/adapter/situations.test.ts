import { readFileSync } from "node:fs";
import { ConfigMap, Job, Namespace, s } from "@levelset/core";
import type { JsonObject } from "@levelset/core";
import { child, input, job, jobRecord, step } from "@levelset/operator";
import { describe, expect, test } from "vitest";
import { AdapterHarness } from "./adapter-harness.fixture.ts";
import { adapter, fleetKind } from "./step-adapter/index.ts";

const Cluster = fleetKind({
  kind: "Cluster",
  spec: s.object({
    isPaused: s.boolean().default(false),
    isBroken: s.boolean().default(false),
    label: s.string().default("a"),
  }),
  status: s.object({ checked: jobRecord.optional() }),
});

const POD = { restartPolicy: "Never" as const, containers: [{ name: "check", image: "check:1" }] };

const go = input(Cluster, "Go", {
  kind: Namespace,
  name: ({ spec }) => (spec.isPaused ? "absent" : "default"),
  pick: ({ metadata }) => metadata.name,
});

/** One adapter, written in both forms, that computes no conditions itself: it applies a ConfigMap, then runs a Job. */
const IN_STEPS = adapter(Cluster, "network", [
  go,
  step(Cluster, "Defect", {
    do: ({ spec }) => {
      if (spec.isBroken) throw new TypeError("undefined is not a function");
      return { kind: "ok", value: undefined };
    },
    reads: go.reads ?? [],
  }),
  child(Cluster, "Settings", {
    kind: ConfigMap,
    uses: [go],
    desired: (req) => ({
      metadata: { name: `settings-${req.name}`, namespace: "default", labels: { label: req.spec.label } },
      data: { of: req.from(go) },
    }),
  }),
  job(Cluster, "Check", {
    statusField: "checked",
    desired: ({ name }) => ({
      metadata: { name: `check-${name}`, namespace: "default" },
      spec: { template: { spec: POD } },
    }),
  }),
]);

const IN_YAML: JsonObject = {
  params: [
    { name: "id", source: "event.id", required: true },
    { name: "cluster", source: { api_call: { method: "GET", url: "/clusters/{{ .id }}" } } },
    { name: "label", source: "cluster.spec.label", default: "a" },
  ],
  preconditions: [
    { name: "started", expression: "!cluster.spec.?isPaused.orValue(false)" },
    { name: "defect", expression: "!cluster.spec.?isBroken.orValue(false) || 'text' + dyn(1) == ''" },
  ],
  resources: [
    {
      name: "settings",
      manifest: {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "settings-{{ .id }}", namespace: "default", labels: { label: "{{ .label }}" } },
        data: { of: "default" },
      },
      discovery: { namespace: "default", by_name: "settings-{{ .id }}" },
    },
    {
      name: "job",
      manifest: {
        apiVersion: "batch/v1",
        kind: "Job",
        metadata: { name: "check-{{ .id }}", namespace: "default" },
        spec: { template: { spec: POD } },
      },
      discovery: { namespace: "default", by_name: "check-{{ .id }}" },
    },
  ],
  post: {
    payloads: [
      {
        name: "report",
        build: {
          adapter: "{{ .adapter.name }}",
          observed_generation: { expression: "cluster.generation" },
          observed_time: '{{ now | date "2006-01-02T15:04:05.000Z07:00" }}',
        },
      },
    ],
    post_actions: [
      { name: "send", api_call: { method: "PUT", url: "/clusters/{{ .id }}/statuses", body: "{{ .report }}" } },
    ],
  },
};

type Way = "in YAML" | "in steps";

function startAdapter(harness: AdapterHarness, way: Way): Promise<void> {
  return way === "in YAML" ? harness.startTask("network", IN_YAML) : harness.start(IN_STEPS);
}

async function jobEnds(harness: AdapterHarness, id: string, type: "Complete" | "Failed"): Promise<void> {
  const now = new Date(harness.cluster.clock.now()).toISOString().replace(/\.\d+Z$/u, "Z");
  const types = type === "Complete" ? ["SuccessCriteriaMet", type] : ["FailureTarget", type];
  const conditions = types.map((one) => ({ type: one, status: "True", lastTransitionTime: now, reason: "Test" }));
  const counts = type === "Complete" ? { succeeded: 1, completionTime: now } : { failed: 1 };
  await harness.cluster.patchStatus(Job, `check-${id}`, { ...counts, startTime: now, conditions }, "default");
  await harness.untilIdle();
}

/**
 * Makes every cluster request of the adapter fail from now on. The ConfigMap is deleted, so that the adapter has to
 * send a request.
 */
async function clusterFails(harness: AdapterHarness, id: string, status: number | "unreachable"): Promise<void> {
  await harness.pulse(id);
  harness.clusterFault = { status, path: /configmaps/u };
  await harness.cluster.delete(ConfigMap, `settings-${id}`);
}

interface Row {
  /** The situation as named in docs/reference/adapter-conditions.md. */
  readonly situation: string;
  readonly spec?: JsonObject;
  /** Sets up the situation. The pulse that reports it is sent afterwards. */
  readonly arrange?: (harness: AdapterHarness, id: string) => Promise<void>;
  /** Duration of the run. Default: two minutes, in which requests are retried. */
  readonly runMs?: number;
  readonly applied: string;
  readonly available: string;
  readonly health: string;
}

const ANY = /./u;

const TABLE: readonly Row[] = [
  {
    situation: "the work cannot start: a precondition is not met or an input is missing",
    spec: { isPaused: true },
    applied: "False",
    available: "Unknown",
    health: "True",
  },
  { situation: "the work has started and is still running", applied: "True", available: "Unknown", health: "True" },
  {
    situation: "the work has succeeded",
    arrange: async (harness, id) => {
      await harness.pulse(id);
      await jobEnds(harness, id, "Complete");
    },
    applied: "True",
    available: "True",
    health: "True",
  },
  {
    situation: "the work has failed, for example a Job",
    arrange: async (harness, id) => {
      await harness.pulse(id);
      await jobEnds(harness, id, "Failed");
    },
    applied: "True",
    available: "False",
    health: "True",
  },
  {
    situation: "the cluster refuses the manifest (400, 422)",
    spec: { label: "not a label!" },
    applied: "False",
    available: "False",
    health: "True",
  },
  {
    situation: "an object of the same name has another owner (`NotOurs`)",
    arrange: async (harness, id) => {
      await harness.cluster.create(ConfigMap, { name: `settings-${id}`, data: { precious: "yes" } });
    },
    applied: "False",
    available: "False",
    health: "True",
  },
  {
    situation: "another client keeps reverting applied fields (`Contested`)",
    arrange: async (harness, id) => {
      await harness.pulse(id);
      await jobEnds(harness, id, "Complete");
      for (let round = 0; round < 10; round += 1) {
        await harness.cluster.patch(ConfigMap, `settings-${id}`, { data: { of: "them" } });
        await harness.advance(10);
        await harness.pulse(id);
      }
    },
    runMs: 0,
    applied: "True",
    available: "False",
    health: "True",
  },
  {
    situation: "the cluster is unreachable before the work has started",
    arrange: async (harness) => {
      harness.clusterFault = { status: "unreachable", path: ANY };
    },
    applied: "Unknown",
    available: "Unknown",
    health: "False",
  },
  {
    situation: "the cluster is unreachable after the work has started",
    arrange: (harness, id) => clusterFails(harness, id, "unreachable"),
    applied: "True",
    available: "Unknown",
    health: "False",
  },
  {
    situation: "the cluster returns 500 or more after the work has started",
    arrange: (harness, id) => clusterFails(harness, id, 503),
    applied: "True",
    available: "Unknown",
    health: "False",
  },
  {
    situation: "the adapter lacks a permission (403)",
    arrange: async (harness) => {
      harness.clusterFault = { status: 403, path: /configmaps/u };
    },
    applied: "Unknown",
    available: "Unknown",
    health: "False",
  },
  {
    situation: "an expression or a step has a defect",
    spec: { isBroken: true },
    applied: "Unknown",
    available: "Unknown",
    health: "False",
  },
];

describe.each<Way>(["in YAML", "in steps"])("an adapter %s reports, when", (way) => {
  test.each(TABLE)("$situation: Applied=$applied Available=$available Health=$health", async (row) => {
    await using harness = await AdapterHarness.open({ workloads: false });
    await startAdapter(harness, way);
    const id = await harness.create(row.spec ?? {});
    await row.arrange?.(harness, id);
    await harness.advance(1_000);
    await harness.pulseFor(id, row.runMs ?? 120_000);
    const { applied, available, health } = row;
    expect(await harness.reported(id)).toBe(`@1 Available=${available} Applied=${applied} Health=${health}`);
  });
});

test("the reference documentation shows the tested table", () => {
  const page = readFileSync(new URL("../../../../docs/reference/adapter-conditions.md", import.meta.url), "utf8");
  const rows = page.split("\n").filter((line) => /\| (?:True|False|Unknown) \|/u.test(line));
  const tested = TABLE.map(({ situation, applied, available, health }) => {
    return `| ${situation} | ${applied} | ${available} | ${health} |`;
  });
  // A status of another generation is tested elsewhere: with a Deployment in YAML and with `workload` in steps.
  const behind = "| the status of a resource is about an older generation than its spec | True | Unknown | True |";
  expect(rows.toSorted()).toEqual([...tested, behind].toSorted());
});
