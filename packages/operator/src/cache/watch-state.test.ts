import { describe, expect, test } from "vitest";
import type { KubeObject } from "@levelset/core";
import { EMPTY, next } from "./index.ts";
import type { WatchState } from "./index.ts";

function thing(name: string, resourceVersion: string): KubeObject {
  return { apiVersion: "v1", kind: "Thing", metadata: { name, uid: name, resourceVersion } };
}

const watching: WatchState<KubeObject> = { phase: "watching", resourceVersion: "5" };

describe("following a collection", () => {
  test("a list of one page is stored, then watched from its revision", () => {
    const page = { items: [thing("a", "3")], resourceVersion: "5" };
    expect(next(EMPTY, { kind: "page", page })).toEqual({
      state: watching,
      change: { kind: "replace", objects: page.items, resourceVersion: "5" },
    });
  });

  test("a list of several pages reaches the store as one", () => {
    const first = next<KubeObject>(EMPTY, {
      kind: "page",
      page: { items: [thing("a", "3")], resourceVersion: "5", continue: "t" },
    });
    expect(first).toMatchObject({ state: { phase: "listing", continueToken: "t" }, change: { kind: "none" } });
    const second = next(first.state, { kind: "page", page: { items: [thing("b", "4")], resourceVersion: "5" } });
    expect(second.change).toMatchObject({ kind: "replace", objects: [thing("a", "3"), thing("b", "4")] });
  });

  test("every event and every bookmark moves the revision from which a cut watch goes on", () => {
    expect(next(watching, { kind: "event", event: { type: "MODIFIED", object: thing("a", "8") } })).toEqual({
      state: { phase: "watching", resourceVersion: "8" },
      change: { kind: "put", object: thing("a", "8") },
    });
    expect(next(watching, { kind: "event", event: { type: "DELETED", object: thing("a", "9") } }).change.kind).toBe(
      "remove",
    );
    expect(
      next(watching, { kind: "event", event: { type: "BOOKMARK", endsInitial: false, resourceVersion: "12" } }),
    ).toEqual({
      state: { phase: "watching", resourceVersion: "12" },
      change: { kind: "none" },
    });
  });

  test("an expired revision, or an expired page token, starts over with a whole list and leaves the store as it is", () => {
    expect(next(watching, { kind: "expired" })).toEqual({ state: EMPTY, change: { kind: "none" } });
    const half: WatchState<KubeObject> = { phase: "listing", continueToken: "t", collected: [thing("a", "1")] };
    expect(next(half, { kind: "expired" }).state).toEqual(EMPTY);
  });
});
