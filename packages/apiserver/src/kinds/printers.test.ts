import { Deployment, Job, Pod } from "@levelset/core";
import type { Kind } from "@levelset/core";
import { expect, test } from "vitest";
import { BUILTIN_RESOURCES } from "./builtin-resources.ts";
import type { Resource } from "../resource/resource.ts";
import type { ApiObject } from "../store/index.ts";
import fc from "fast-check";

const NOW = Date.parse("2026-01-01T00:00:00Z");

function resourceOf(kind: Kind): Resource {
  const found = BUILTIN_RESOURCES.find((resource) => resource.kind === kind.kind && resource.group === kind.group);
  if (found === undefined) throw new TypeError(`${kind.kind} is not served`);
  return found;
}

function cells(kind: Kind, object: Readonly<Record<string, unknown>>): readonly unknown[] {
  const metadata = { name: "x", uid: "u", resourceVersion: "1", creationTimestamp: "2025-12-31T23:59:00Z" };
  const whole = { apiVersion: "v1", kind: kind.kind, ...object, metadata } as unknown as ApiObject;
  return resourceOf(kind).printer.cells(whole, NOW);
}

test("a pod shows why it is not running, its restarts, and the time of the last one", () => {
  const state = { waiting: { reason: "CrashLoopBackOff" } };
  const lastState = { terminated: { exitCode: 1, finishedAt: "2025-12-31T23:55:00Z" } };
  const containerStatuses = [{ name: "a", ready: false, restartCount: 4, state, lastState }];
  expect(
    cells(Pod, {
      spec: { containers: [{ name: "a" }], nodeName: "n1" },
      status: { phase: "Running", containerStatuses },
    }),
  ).toEqual(["x", "0/1", "CrashLoopBackOff", "4 (5m ago)", "60s", "<none>", "n1", "<none>", "<none>"]);
});

test("a deployment shows its pod counts", () => {
  const template = { spec: { containers: [{ name: "a", image: "i:1" }] } };
  const spec = { replicas: 3, selector: { matchLabels: { app: "x" } }, template };
  expect(cells(Deployment, { spec, status: { readyReplicas: 1, updatedReplicas: 2 } })).toEqual([
    "x",
    "1/3",
    2,
    0,
    "60s",
    "a",
    "i:1",
    "app=x",
  ]);
});

test("a job shows its duration, or its running time until it completes", () => {
  const spec = { completions: 2, template: { spec: { containers: [] } } };
  const startTime = "2025-12-31T23:00:00Z";
  const conditions = [{ type: "Complete", status: "True" }];
  const done = cells(Job, {
    spec,
    status: { startTime, completionTime: "2025-12-31T23:01:30Z", conditions, succeeded: 2 },
  });
  expect(done.slice(0, 4)).toEqual(["x", "Complete", "2/2", "90s"]);
  expect(cells(Job, { spec, status: { startTime } }).slice(0, 4)).toEqual(["x", "Running", "0/2", "60m"]);
});

test("every row has a cell for each column, whatever fields the object lacks", () => {
  const bare = {
    spec: { containers: [], template: {}, selector: {}, jobTemplate: {}, scaleTargetRef: {}, source: {} },
  };
  fc.assert(
    fc.property(fc.constantFrom(...BUILTIN_RESOURCES), fc.boolean(), (resource, isDeleted) => {
      const metadata = {
        name: "x",
        uid: "u",
        resourceVersion: "1",
        ...(isDeleted ? { deletionTimestamp: "2026-01-01T00:00:00Z" } : {}),
      };
      const object = { apiVersion: "v1", kind: resource.kind, metadata, roleRef: {}, template: {}, ...bare };
      const printer = resource.printer;
      expect(printer.cells(object as unknown as ApiObject, NOW)).toHaveLength(printer.columns.length);
    }),
    { numRuns: 200 },
  );
});
