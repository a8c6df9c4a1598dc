import { expect, test } from "vitest";
import { freshHistory } from "./fresh-history.ts";
import type { Manifest, Operation } from "./operation.ts";

function thing(name: string, size: number): Manifest {
  return { apiVersion: "example.com/v1", kind: "Thing", metadata: { name, namespace: "default" }, spec: { size } };
}

const secret: Manifest = {
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name: "s", namespace: "default" },
  stringData: { a: "1" },
};
const isRoot = ({ kind }: Manifest): boolean => kind === "Thing";

function fresh(operations: readonly Operation[], refused: readonly number[] = []): readonly Operation[] {
  return freshHistory({ operations }, new Set(refused), isRoot).operations;
}

test("an object is created once, with its last content, at the time of its creation", () => {
  const operations: readonly Operation[] = [
    { do: "create", object: thing("a", 1), afterMs: 10 },
    { do: "change", object: thing("a", 2), how: "valid", afterMs: 20 },
    { do: "restart", afterMs: 30 },
  ];
  expect(fresh(operations)).toEqual([
    { do: "create", object: thing("a", 2), afterMs: 10 },
    { do: "pass-time", afterMs: 20 },
    { do: "pass-time", afterMs: 30 },
  ]);
});

test("a change that the server refused does not count", () => {
  const operations: readonly Operation[] = [
    { do: "create", object: thing("a", 1), afterMs: 0 },
    { do: "change", object: thing("a", -1), how: "invalid", afterMs: 0 },
  ];
  expect(fresh(operations, [1])[0]).toEqual({ do: "create", object: thing("a", 1), afterMs: 0 });
});

test("a deleted object is absent, and a recreated one is created at its last creation", () => {
  const id = { apiVersion: "example.com/v1", kind: "Thing", namespace: "default", name: "a" };
  const once: readonly Operation[] = [
    { do: "create", object: thing("a", 1), afterMs: 1 },
    { do: "delete", id, afterMs: 2 },
  ];
  expect(fresh(once).map((each) => each.do)).toEqual(["pass-time", "pass-time"]);
  const again: readonly Operation[] = [...once, { do: "create", object: thing("a", 3), afterMs: 3 }];
  expect(fresh(again).map((each) => each.do)).toEqual(["pass-time", "pass-time", "create"]);
});

test("late inputs are created first", () => {
  const operations: readonly Operation[] = [
    { do: "create", object: thing("a", 1), afterMs: 60 },
    { do: "create", object: secret, afterMs: 60 },
  ];
  expect(fresh(operations)[0]).toEqual({ do: "create", object: secret, afterMs: 0 });
});

test("the same time passes, also that of downtimes and clock steps", () => {
  const operations: readonly Operation[] = [
    { do: "create", object: thing("a", 1), afterMs: 5 },
    { do: "downtime", ms: 100, afterMs: 5 },
    { do: "step-clock", ms: 1000, afterMs: 5 },
  ];
  expect(fresh(operations).reduce((sum, { afterMs }) => sum + afterMs, 0)).toBe(1115);
});
