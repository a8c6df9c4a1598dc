import { ConfigMap, Deployment, kind, realClock, s, Secret } from "@levelset/core";
import type { Fetch } from "@levelset/core";
import { TestCluster } from "@levelset/apiserver/testing";
import { child, external, input, jobRecord, ok, operator, step, workload } from "@levelset/operator";
import type { ManagedOperator, Operator, Step } from "@levelset/operator";
import { planUpgrade } from "./plan-upgrade.ts";
import type { PlanUpgradeOptions, RedactablePlan } from "./plan-upgrade.ts";
import { upgradePlanJson } from "./upgrade-plan-json.ts";
import { upgradePlanText } from "./upgrade-plan-text.ts";

/** Kind of the operator under test. */
export const App = kind({
  group: "test.levelset.dev",
  version: "v1",
  kind: "App",
  spec: s.object({ replicas: s.int32().default(3), size: s.int32().optional() }),
  status: s.object({ note: s.string().optional(), bucket: s.string().optional(), migration: jobRecord.optional() }),
});

/** The value of the Secret that {@link appOperator} copies into a ConfigMap. */
export const PASSWORD = "correct-horse-battery";

/** A version of the operator. */
export interface AppVersion {
  readonly image?: string;
  /** Whether it has a ConfigMap with flags. */
  readonly flags?: boolean;
  /** Written to the status. */
  readonly note?: string;
  /** Whether it copies the password of a Secret into a ConfigMap. */
  readonly password?: boolean;
  /** Called by the external step, if there is one. */
  readonly service?: (verb: string) => void;
  readonly more?: readonly Step<typeof App>[];
}

/** A version of an operator with a Deployment. */
export function appOperator(version: AppVersion = {}): Operator<typeof App> {
  const { image = "web:1", flags = true, note, password = false, service, more = [] } = version;
  return operator(App, [
    child(App, "Flags", {
      kind: ConfigMap,
      desired: ({ name }) => (flags ? { metadata: { name: `${name}-flags` }, data: { color: "red" } } : undefined),
    }),
    ...(password ? passwordSteps() : []),
    ...(service === undefined ? [] : [bucketStep(service)]),
    workload(App, "Web", {
      condition: "WebReady",
      kind: Deployment,
      desired: ({ name, spec: { replicas } }) => ({
        metadata: { name },
        spec: {
          replicas,
          selector: { matchLabels: { app: name } },
          template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: "web", image }] } },
        },
      }),
    }),
    ...more,
    ...(note === undefined ? [] : [noteStep(note)]),
  ]);
}

/** Copies the password into a ConfigMap, which no operator should do, and a Secret. */
function passwordSteps(): readonly Step<typeof App>[] {
  const password = input(App, "Password", { secret: () => "db", keys: { password: s.text() } });
  const plain = child(App, "Plain", {
    kind: ConfigMap,
    uses: [password],
    desired: (req) => ({
      metadata: { name: `${req.name}-plain` },
      data: { url: `me:${req.from(password).password}@db` },
    }),
  });
  const copy = child(App, "Copy", {
    kind: Secret,
    uses: [password],
    desired: (req) => ({ metadata: { name: `${req.name}-copy` }, stringData: req.from(password) }),
  });
  return [password, plain, copy];
}

function bucketStep(service: (verb: string) => void): Step<typeof App> {
  return external(App, "Bucket", {
    condition: "BucketReady",
    observe: async () => {
      service("observe");
      return { state: "current", value: "b" };
    },
    apply: async () => {
      service("apply");
      return { state: "current", value: "b" };
    },
    delete: async () => {
      service("delete");
      return "deleted";
    },
    status: (req, value) => {
      req.status.bucket = value;
    },
  });
}

function noteStep(note: string): Step<typeof App> {
  return step(App, "Note", {
    do: (req) => {
      req.status.note = note;
      return ok();
    },
  });
}

/** A cluster in which a version of the operator has come to rest, and then stopped. */
export async function liveCluster(
  version: AppVersion,
  prepare: (cluster: TestCluster) => Promise<unknown> = (cluster) => cluster.apply(App, { name: "shop", spec: {} }),
): Promise<TestCluster> {
  const cluster = new TestCluster({ seed: 9, kinds: [App], workloads: true });
  await cluster.install(App);
  const running = cluster.run(appOperator(version));
  await prepare(cluster);
  await cluster.clock.advance(60_000);
  await cluster.untilIdle();
  await running.stop();
  return cluster;
}

/** A plan with its text and JSON. */
export interface TestPlan extends RedactablePlan {
  readonly text: string;
  readonly summary: string;
  readonly json: string;
  /** Requests to the cluster: `GET /api/v1/configmaps`. */
  readonly requests: readonly string[];
}

/** Plans the upgrade to operators on a cluster. */
export async function planOn(
  cluster: { readonly fetch: Fetch },
  operators: readonly ManagedOperator[],
  options: Partial<PlanUpgradeOptions> = {},
): Promise<TestPlan> {
  const requests: string[] = [];
  const made = await planUpgrade(
    { operators, others: [], options: {} },
    {
      fetch: (request) => {
        requests.push(`${request.method} ${new URL(request.url).pathname}`);
        return cluster.fetch(request);
      },
      clock: realClock,
      signal: new AbortController().signal,
      file: "app.ts",
      ...options,
    },
  );
  const { plan, redactor } = made;
  const text = upgradePlanText(plan, { colors: false, diffs: true, redactor });
  const summary = upgradePlanText(plan, { colors: false, diffs: false, redactor });
  return { ...made, text, summary, json: JSON.stringify(upgradePlanJson(plan, redactor)), requests };
}
