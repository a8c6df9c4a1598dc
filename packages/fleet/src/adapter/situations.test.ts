import { readFileSync } from "node:fs";
import { ConfigMap, Job, Namespace, s } from "@levelset/core";
import type { JsonObject } from "@levelset/core";
import { child, input, job, jobRecord, step } from "@levelset/operator";
import { describe, expect, test } from "vitest";
import { Stage } from "./stage.fixture.ts";
import { adapter, fleetKind } from "./stepwise/index.ts";

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
  of: Namespace,
  name: ({ spec }) => (spec.isPaused ? "absent" : "default"),
  pick: ({ metadata }) => metadata.name,
});

/** One adapter, written twice, that says nothing about its conditions: it applies a ConfigMap, then runs a Job. */
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
    remember: "checked",
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

function startAdapter(stage: Stage, way: Way): Promise<void> {
  return way === "in YAML" ? stage.startTask("network", IN_YAML) : stage.start(IN_STEPS);
}

async function jobEnds(stage: Stage, id: string, type: "Complete" | "Failed"): Promise<void> {
  const now = new Date(stage.cluster.clock.now()).toISOString().replace(/\.\d+Z$/u, "Z");
  const types = type === "Complete" ? ["SuccessCriteriaMet", type] : ["FailureTarget", type];
  const conditions = types.map((one) => ({ type: one, status: "True", lastTransitionTime: now, reason: "Test" }));
  const counts = type === "Complete" ? { succeeded: 1, completionTime: now } : { failed: 1 };
  await stage.cluster.patchStatus(Job, `check-${id}`, { ...counts, startTime: now, conditions }, "default");
  await stage.rest();
}

/** Everything that the adapter asks of the cluster fails from now on. The ConfigMap is gone, so there is something to ask. */
async function clusterFails(stage: Stage, id: string, status: number | "unreachable"): Promise<void> {
  await stage.pulse(id);
  stage.clusterFault = { status, path: /configmaps/u };
  await stage.cluster.delete(ConfigMap, `settings-${id}`);
}

interface Row {
  /** As in docs/reference/adapter-conditions.md. */
  readonly situation: string;
  readonly spec?: JsonObject;
  /** Brings the situation about; the pulse that reports it follows. */
  readonly arrange?: (stage: Stage, id: string) => Promise<void>;
  /** How long the run may take. Default: two minutes, in which requests are tried again. */
  readonly runMs?: number;
  readonly applied: string;
  readonly available: string;
  readonly health: string;
}

const ANY = /./u;

const TABLE: readonly Row[] = [
  {
    situation: "the work cannot start: a precondition is not met, an input is missing",
    spec: { isPaused: true },
    applied: "False",
    available: "Unknown",
    health: "True",
  },
  { situation: "the work was started and has not ended", applied: "True", available: "Unknown", health: "True" },
  {
    situation: "the work ended with the wanted result",
    arrange: async (stage, id) => {
      await stage.pulse(id);
      await jobEnds(stage, id, "Complete");
    },
    applied: "True",
    available: "True",
    health: "True",
  },
  {
    situation: "the work ended and failed, such as a Job",
    arrange: async (stage, id) => {
      await stage.pulse(id);
      await jobEnds(stage, id, "Failed");
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
    situation: "an object of another owner is in the way (`NotOurs`)",
    arrange: async (stage, id) => {
      await stage.cluster.create(ConfigMap, { name: `settings-${id}`, data: { precious: "yes" } });
    },
    applied: "False",
    available: "False",
    health: "True",
  },
  {
    situation: "another client changes back what was applied (`Contested`)",
    arrange: async (stage, id) => {
      await stage.pulse(id);
      await jobEnds(stage, id, "Complete");
      for (let round = 0; round < 10; round += 1) {
        await stage.cluster.patch(ConfigMap, `settings-${id}`, { data: { of: "them" } });
        await stage.pass(10);
        await stage.pulse(id);
      }
    },
    runMs: 0,
    applied: "True",
    available: "False",
    health: "True",
  },
  {
    situation: "the cluster is unreachable before anything was started",
    arrange: async (stage) => {
      stage.clusterFault = { status: "unreachable", path: ANY };
    },
    applied: "Unknown",
    available: "Unknown",
    health: "False",
  },
  {
    situation: "the cluster is unreachable after the work was started",
    arrange: (stage, id) => clusterFails(stage, id, "unreachable"),
    applied: "True",
    available: "Unknown",
    health: "False",
  },
  {
    situation: "the cluster answers 500 or more after the work was started",
    arrange: (stage, id) => clusterFails(stage, id, 503),
    applied: "True",
    available: "Unknown",
    health: "False",
  },
  {
    situation: "the adapter has no right (403)",
    arrange: async (stage) => {
      stage.clusterFault = { status: 403, path: /configmaps/u };
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
    await using stage = await Stage.open({ workloads: false });
    await startAdapter(stage, way);
    const id = await stage.create(row.spec ?? {});
    await row.arrange?.(stage, id);
    await stage.pass(1_000);
    await stage.pulseFor(id, row.runMs ?? 120_000);
    const { applied, available, health } = row;
    expect(await stage.reported(id)).toBe(`@1 Available=${available} Applied=${applied} Health=${health}`);
  });
});

test("the reference shows the table that is tested", () => {
  const page = readFileSync(new URL("../../../../docs/reference/adapter-conditions.md", import.meta.url), "utf8");
  const rows = page.split("\n").filter((line) => /\| (?:True|False|Unknown) \|/u.test(line));
  const tested = TABLE.map(({ situation, applied, available, health }) => {
    return `| ${situation} | ${applied} | ${available} | ${health} |`;
  });
  // A status of another generation has tests of its own: a Deployment in YAML, `workload` in steps.
  const behind = "| the status of a resource is about an older generation than its spec | True | Unknown | True |";
  expect(rows.toSorted()).toEqual([...tested, behind].toSorted());
});
