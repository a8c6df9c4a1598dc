import {
  ConfigMap,
  Deployment,
  DeclarationError,
  Job,
  kind,
  kindFromCrd,
  Namespace,
  Node,
  PersistentVolumeClaim,
  Pod,
  s,
  Secret,
  Service,
} from "@levelset/core";
import type { AnyCustomKind, JsonObject, Kind, ObjectOf } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, expectTypeOf, test } from "vitest";
import { operator } from "../../manager/index.ts";
import type { OutputOf } from "../../engine/index.ts";
import { dependency } from "./dependency.ts";

const Site = kind({
  group: "test.levelset.dev",
  version: "v1",
  kind: "Site",
  spec: s.object({}),
  status: s.object({ used: s.string().optional() }),
});

async function started(of: Kind, more: readonly AnyCustomKind[] = []): Promise<TestCluster> {
  const cluster = await testCluster({ kinds: [...more] });
  const needed = dependency(Site, "Needed", { condition: "NeededReady", kind: of, name: () => "x" });
  cluster.run(operator(Site, [needed]));
  await cluster.apply(Site, { name: "a", spec: {} });
  return cluster;
}

const site = (cluster: TestCluster): Promise<ObjectOf<typeof Site>> => cluster.untilSettled(Site, "a");
const INFO = { severity: "Info", reason: "Requested" } as const;
const POD = { containers: [{ name: "main", image: "web:1" }] };

describe("a built-in kind without a status", () => {
  test.each([
    ["Secret", Secret],
    ["ConfigMap", ConfigMap],
  ] as const)("is ready once it exists: %s", async (_name, of) => {
    await using cluster = await started(of);
    const what = of.kind.toLowerCase();
    expect(await site(cluster)).toHaveCondition("NeededReady", "False", {
      ...INFO,
      message: `${what}/x does not exist`,
    });
    await cluster.create(of, { name: "x", finalizers: ["other.dev/f"] });
    expect(await site(cluster)).toBeReady();
    await cluster.delete(of, "x");
    expect(await site(cluster)).toHaveCondition("NeededReady", "False", {
      ...INFO,
      message: `${what}/x is being deleted`,
    });
  });

  test("never reveals the data of a Secret", async () => {
    await using cluster = await testCluster();
    const needed = dependency(Site, "Needed", {
      condition: "NeededReady",
      kind: Secret,
      labels: () => ({ app: "x" }),
      status: (req, { metadata }) => {
        req.status.used = metadata.name;
      },
    });
    cluster.run(operator(Site, [needed]));
    await cluster.apply(Site, { name: "a", spec: {} });
    for (const name of ["one", "two"])
      await cluster.create(Secret, { name, labels: { app: "x" }, stringData: { password: "hunter2" } });
    expect(await site(cluster)).toHaveCondition("NeededReady", "False", {
      message: "2 secrets have the labels app=x, but one is needed: secret/one, secret/two",
    });
    await cluster.delete(Secret, "two");
    expect((await site(cluster)).status?.used).toBe("one");
    const written = JSON.stringify([cluster.history(Site, "a"), cluster.logs, await cluster.list(ConfigMap)]);
    expect(written).not.toMatch(/hunter2|aHVudGVyMg/u);
  });
});

describe("a built-in kind with a status", () => {
  test("must be rolled out: Deployment", async () => {
    await using cluster = await started(Deployment);
    const spec = { selector: { matchLabels: { a: "b" } }, template: { metadata: { labels: { a: "b" } }, spec: POD } };
    await cluster.create(Deployment, { name: "x", spec });
    expect(await site(cluster)).toHaveCondition("NeededReady", "False", INFO);
    const counts = { replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 };
    await cluster.patchStatus(Deployment, "x", { observedGeneration: 1, ...counts });
    expect(await site(cluster)).toBeReady();
    await cluster.patch(Deployment, "x", { spec: { replicas: 2 } });
    expect(await site(cluster)).toHaveCondition("NeededReady", "False", INFO);
    const condition = { type: "Progressing", status: "False", reason: "ProgressDeadlineExceeded", message: "too slow" };
    await cluster.patchStatus(Deployment, "x", { observedGeneration: 2, ...counts, conditions: [condition] });
    expect(await site(cluster)).toHaveCondition("NeededReady", "False", {
      severity: "Error",
      reason: "ProgressDeadlineExceeded",
      message: /^deployment\/x: /u,
    });
  });

  test("must be complete: Job", async () => {
    await using cluster = await started(Job);
    await cluster.create(Job, { name: "x", spec: { template: { spec: { ...POD, restartPolicy: "Never" } } } });
    expect(await site(cluster)).toHaveCondition("NeededReady", "False", INFO);
    const time = "2026-01-01T00:00:00Z";
    const conditions = [
      { type: "SuccessCriteriaMet", status: "True", reason: "CompletionsReached", lastTransitionTime: time },
      { type: "Complete", status: "True", reason: "CompletionsReached", lastTransitionTime: time },
    ];
    await cluster.patchStatus(Job, "x", { conditions, succeeded: 1, startTime: time, completionTime: time });
    expect(await site(cluster)).toBeReady();
  });

  test("must be bound: PersistentVolumeClaim", async () => {
    await using cluster = await started(PersistentVolumeClaim);
    const spec = { accessModes: ["ReadWriteOnce" as const], resources: { requests: { storage: "1Gi" } } };
    await cluster.create(PersistentVolumeClaim, { name: "x", spec });
    expect(await site(cluster)).toHaveCondition("NeededReady", "False", {
      ...INFO,
      message: "persistentvolumeclaim/x: not bound to a volume yet",
    });
    await cluster.patchStatus(PersistentVolumeClaim, "x", { phase: "Bound" });
    expect(await site(cluster)).toBeReady();
    await cluster.patchStatus(PersistentVolumeClaim, "x", { phase: "Lost" });
    expect(await site(cluster)).toHaveCondition("NeededReady", "False", { severity: "Error", reason: "Lost" });
  });

  test("may be cluster-scoped: Namespace, Node", async () => {
    await using cluster = await started(Namespace);
    await cluster.create(Namespace, { name: "x" });
    expect(await site(cluster)).toBeReady();
    await using other = await started(Node);
    await other.create(Node, { name: "x" });
    expect(await site(other)).toHaveCondition("NeededReady", "False", INFO);
    const ready = { type: "Ready", status: "True", reason: "KubeletReady", message: "" };
    await other.patchStatus(Node, "x", { conditions: [ready] });
    expect(await site(other)).toBeReady();
  });

  test("may be ready once it exists or has an address: Service, Pod", async () => {
    await using cluster = await started(Service);
    await cluster.create(Service, { name: "x", spec: { ports: [{ port: 80 }] } });
    expect(await site(cluster)).toBeReady();
    await using other = await started(Pod);
    await other.create(Pod, { name: "x", spec: POD });
    expect(await site(other)).toHaveCondition("NeededReady", "False", INFO);
  });
});

function crd(status: JsonObject | undefined): AnyCustomKind {
  const properties = { spec: { type: "object" }, ...(status === undefined ? {} : { status }) };
  return kindFromCrd({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "certificates.other.dev" },
    spec: {
      group: "other.dev",
      scope: "Namespaced",
      names: { plural: "certificates", singular: "certificate", kind: "Certificate", listKind: "CertificateList" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: { type: "object", properties } },
        },
      ],
    },
  });
}

describe("a kind of another project, read from its CRD", () => {
  const text = { type: "string" };
  const condition = {
    type: "object",
    properties: { type: text, status: text, reason: text, message: text, observedGeneration: { type: "integer" } },
  };
  const conditioned = { type: "object", properties: { conditions: { type: "array", items: condition } } };

  test("without conditions in its schema is ready once it exists", async () => {
    const Plain = crd(undefined);
    await using cluster = await started(Plain, [Plain]);
    await cluster.create(Plain, { name: "x", spec: {} });
    expect(await site(cluster)).toBeReady();
  });

  test("with conditions is not ready until its operator reports them for its current generation", async () => {
    const Certificate = crd(conditioned);
    await using cluster = await started(Certificate, [Certificate]);
    await cluster.create(Certificate, { name: "x", spec: {} });
    expect(await site(cluster)).toHaveCondition("NeededReady", "Unknown", {
      reason: "Init",
      message: "certificate/x: not reconciled yet",
    });
    const report = (ready: object): Promise<unknown> =>
      cluster.patchStatus(Certificate, "x", { conditions: [{ type: "Ready", observedGeneration: 1, ...ready }] });
    await report({ status: "False", reason: "Issuing", message: "asked for" });
    // Conditions of other projects have no severity: False means Progressing.
    expect(await site(cluster)).toHaveCondition("NeededReady", "False", {
      ...INFO,
      message: "certificate/x: asked for",
    });
    await report({ status: "True", reason: "Issued", message: "" });
    expect(await site(cluster)).toBeReady();
    await cluster.patch(Certificate, "x", { spec: { a: 1 } });
    await report({ observedGeneration: 0, status: "True", reason: "Issued", message: "" });
    expect(await site(cluster)).toHaveCondition("NeededReady", "Unknown", { reason: "Behind" });
  });

  test("with a schemaless status counts as never reconciled until it has one", async () => {
    const Open = crd({ type: "object", "x-kubernetes-preserve-unknown-fields": true });
    await using cluster = await started(Open, [Open]);
    await cluster.create(Open, { name: "x", spec: {} });
    expect(await site(cluster)).toHaveCondition("NeededReady", "Unknown", { reason: "Init" });
    await cluster.patchStatus(Open, "x", { conditions: "none" });
    expect(await site(cluster)).toBeReady();
    await cluster.patchStatus(Open, "x", { conditions: [{ type: "Ready", status: "Unknown", message: "asking" }] });
    expect(await site(cluster)).toHaveCondition("NeededReady", "False", { ...INFO, message: "certificate/x: asking" });
    await cluster.patchStatus(Open, "x", { conditions: [{ type: "Ready", status: "True", reason: "Ready" }] });
    expect(await site(cluster)).toBeReady();
    const behind = { type: "Ready", status: "True", reason: "Ready", observedGeneration: 0 };
    await cluster.patchStatus(Open, "x", { conditions: [behind] });
    expect(await site(cluster)).toHaveCondition("NeededReady", "Unknown", { reason: "Behind" });
  });

  test("may report Available or Stalled instead of Ready", async () => {
    const Certificate = crd(conditioned);
    await using cluster = await started(Certificate, [Certificate]);
    await cluster.create(Certificate, { name: "x", spec: {} });
    const report = (type: string, status: string): Promise<unknown> =>
      cluster.patchStatus(Certificate, "x", { conditions: [{ type, status, reason: "Because", message: "of it" }] });
    await report("Available", "False");
    expect(await site(cluster)).toHaveCondition("NeededReady", "False", { ...INFO, message: "certificate/x: of it" });
    await report("Available", "True");
    expect(await site(cluster)).toBeReady();
    await report("Stalled", "True");
    expect(await site(cluster)).toHaveCondition("NeededReady", "False", { severity: "Error", reason: "Because" });
  });
});

test("a cluster-scoped object cannot name a namespaced one", async () => {
  const Region = kind({
    group: "test.levelset.dev",
    version: "v1",
    kind: "Region",
    spec: s.object({}),
    scope: "Cluster",
  });
  await using cluster = await testCluster();
  cluster.run(
    operator(Region, [dependency(Region, "Needed", { condition: "NeededReady", kind: Secret, name: () => "x" })]),
  );
  await cluster.apply(Region, { name: "r", spec: {} });
  expect(await cluster.untilSettled(Region, "r")).toHaveCondition("NeededReady", "False", {
    severity: "Error",
    message: "step Needed: Secret x is namespaced and the object is not: select it by labels",
  });
});

test("an invalid declaration is rejected when it is created", () => {
  const loose = dependency as (...args: readonly unknown[]) => unknown;
  expect(() => loose(Site, "A", { kind: Secret })).toThrow(DeclarationError);
  expect(() => loose(Site, "A", { kind: Secret })).toThrow("step A: give name or labels");
  expect(() => loose(Site, "A", { kind: Secret, name: () => "x", labels: () => ({}) })).toThrow("give one of them");
  expect(() => loose(Site, "A", { kind: Secret, name: () => "x", match: "all" })).toThrow('match "all" needs labels');
  expect(() => loose(Site, "A", { kind: Secret, labels: () => ({}), match: "any" })).toThrow(
    'step A: match is "one" or "all", not "any"',
  );
  const secret = dependency(Site, "B", { kind: Secret, name: () => "x" });
  expectTypeOf<OutputOf<typeof secret>>().toEqualTypeOf<ObjectOf<typeof Secret>>();
});
