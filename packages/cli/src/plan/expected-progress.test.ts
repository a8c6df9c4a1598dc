import { kind, s } from "@levelset/core";
import type { KubeObject } from "@levelset/core";
import { ok, operator, reference, step } from "@levelset/operator";
import type { ObjectRef } from "@levelset/operator";
import { expect, test } from "vitest";
import { expectedProgress } from "./expected-progress.ts";
import { refId } from "./ref-id.ts";

const of = (name: string) => kind({ group: "test.dev", version: "v1", kind: name, spec: s.object({}) });
const [Parent, Child, Reader] = [of("Parent"), of("Child"), of("Reader")];
const OPERATORS = [
  operator(Parent, [step(Parent, "Do", { owns: [Child], do: () => ok() })]),
  operator(Child, [step(Child, "Do", { do: () => ok() })]),
  operator(Reader, [step(Reader, "Do", { reads: [reference(Reader, Parent, () => "p")], do: () => ok() })]),
];

function own(
  resource: string,
  uid: string,
  owner?: string,
): { readonly resource: string; readonly object: KubeObject } {
  const ownerReferences =
    owner === undefined ? [] : [{ apiVersion: "test.dev/v1", kind: "X", name: owner, uid: owner }];
  const metadata = { name: uid, namespace: "a", uid, resourceVersion: "1", ownerReferences };
  return { resource, object: { apiVersion: "test.dev/v1", kind: "X", metadata } };
}

const OWN = [own("parents.test.dev", "p"), own("children.test.dev", "c", "p"), own("readers.test.dev", "r")];

/** A Deployment of an object whose rollout is not complete, or is. */
function deployment(owner: string, observedGeneration: number): ReturnType<typeof own> {
  const { object } = own("", "d", owner);
  const metadata = { ...object.metadata, generation: 2 };
  const replicas = { replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 };
  const rolled = { spec: { replicas: 1 }, status: { observedGeneration, ...replicas } };
  return {
    resource: "deployments.apps",
    object: { ...object, apiVersion: "apps/v1", kind: "Deployment", metadata, ...rolled },
  };
}

function expected(
  written: ReturnType<typeof own>[],
  heldBack: readonly string[] = [],
  waits: ReadonlyMap<string, readonly ObjectRef[]> = new Map(),
): readonly string[] {
  const facts = { operators: OPERATORS, own: OWN, written, heldBack: new Set(heldBack), waits };
  return [...expectedProgress(facts)].toSorted();
}

/** What the Reader waits for. */
function reading(name: string): ReadonlyMap<string, readonly ObjectRef[]> {
  const of = (named: string): ObjectRef => ({ apiVersion: "test.dev/v1", kind: "X", namespace: "a", name: named });
  return new Map([[refId(of("r")), [of(name)]]]);
}

test("an object waits for its rollout, its owner for the object, and readers of the owner for that", () => {
  expect(expected([deployment("c", 1)])).toEqual(["c", "p", "r"]);
  expect(expected([deployment("p", 1)])).toEqual(["p", "r"]);
  expect(expected([deployment("r", 1)])).toEqual(["r"]);
});

test("an object that names what it waits for does not wait for another object of the kind", () => {
  expect(expected([deployment("p", 1)], [], reading("p"))).toEqual(["p", "r"]);
  expect(expected([deployment("p", 1)], [], reading("other"))).toEqual(["p"]);
});

test("an object waits for no rollout that is complete", () => {
  expect(expected([deployment("c", 2)])).toEqual([]);
});

test("an object waits for its held-back calls, and its owner for the object", () => {
  expect(expected([], ["c"])).toEqual(["c", "p", "r"]);
});
