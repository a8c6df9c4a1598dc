import { expect, test } from "vitest";
import type { SentRequest } from "../world/index.ts";
import { effortOf, findExcess } from "./effort.ts";
import type { Effort } from "./effort.ts";

const FRESH: readonly Effort[] = [{ operation: "a user creates A", writes: 5, paths: 3, ms: 60_000 }];
const effort = (writes: number, paths: number, ms = 60_000): Effort => ({
  ...FRESH[0],
  operation: "a change",
  writes,
  paths,
  ms,
});
const write = (path: string): SentRequest => ({ method: "PATCH", path, query: "", code: 200 });

test("a change that leads to hundreds of writes of few paths is found", () => {
  expect(findExcess(FRESH, [effort(8, 3), effort(300, 2)])).toMatchObject({
    rule: "hot-loop",
    message: "The operator sends 300 writes to 2 paths when a change, and 5 in a new cluster.",
  });
});

test("many writes of many objects, and many writes in a long time are no excess", () => {
  expect(findExcess(FRESH, [effort(300, 30), effort(300, 2, 3_600_000)])).toBeUndefined();
  expect(findExcess([], [effort(30, 10)])).toBeUndefined();
});

test("events and leases are no writes, and a path counts once", () => {
  const requests = [write("/api/v1/namespaces/default/events"), write("/a"), write("/a"), write("/b")];
  expect(effortOf("a change", requests, 1)).toEqual({ operation: "a change", writes: 3, paths: 2, ms: 1 });
});
