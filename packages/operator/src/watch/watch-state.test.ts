import { describe, expect, test } from "vitest";
import type { KubeObject } from "@levelset/core";
import type { WatchEvent } from "./list-watch.ts";
import { INITIAL_WATCH_STATE, nextWatchState } from "./watch-state.ts";
import type { Transition, WatchState } from "./watch-state.ts";

function thing(name: string, resourceVersion: string): KubeObject {
  return { apiVersion: "v1", kind: "Thing", metadata: { name, uid: name, resourceVersion } };
}

const watching: WatchState<KubeObject> = { phase: "watching", resourceVersion: "5" };
const bookmark = (resourceVersion: string, endsInitial = false): WatchEvent<KubeObject> => ({
  type: "BOOKMARK",
  resourceVersion,
  endsInitial,
});
const added = (name: string, version: string): WatchEvent<KubeObject> => ({
  type: "ADDED",
  object: thing(name, version),
});

function after(
  state: WatchState<KubeObject>,
  ...batches: readonly (readonly WatchEvent<KubeObject>[])[]
): Transition<KubeObject> {
  return batches.reduce<Transition<KubeObject>>(
    (reached, events) => nextWatchState(reached.state, { kind: "events", events }),
    {
      state,
      changes: [],
    },
  );
}

describe("the watch state machine", () => {
  test("a list of one page is stored, then watched from its resourceVersion", () => {
    const page = { items: [thing("a", "3")], resourceVersion: "5" };
    expect(nextWatchState(INITIAL_WATCH_STATE, { kind: "page", page })).toEqual({
      state: watching,
      changes: [{ kind: "replace", objects: page.items, resourceVersion: "5" }],
    });
  });

  test("a list of several pages is stored at once", () => {
    const first = nextWatchState<KubeObject>(INITIAL_WATCH_STATE, {
      kind: "page",
      page: { items: [thing("a", "3")], resourceVersion: "5", continue: "t" },
    });
    expect(first).toMatchObject({ state: { phase: "listing", continueToken: "t" }, changes: [] });
    const second = nextWatchState(first.state, {
      kind: "page",
      page: { items: [thing("b", "4")], resourceVersion: "5" },
    });
    expect(second.changes).toMatchObject([{ kind: "replace", objects: [thing("a", "3"), thing("b", "4")] }]);
  });

  test("a streamed list is stored at once at its end bookmark, and the stream continues as the watch", () => {
    const gone: WatchEvent<KubeObject> = { type: "DELETED", object: thing("b", "4") };
    const half = after(INITIAL_WATCH_STATE, [added("a", "1"), added("b", "2")], [added("a", "3"), gone]);
    expect(half).toMatchObject({ state: { phase: "streaming" }, changes: [] });
    expect(after(half.state, [bookmark("5", true), added("c", "6"), bookmark("7")])).toEqual({
      state: { phase: "watching", resourceVersion: "7" },
      changes: [
        { kind: "replace", objects: [thing("a", "3")], resourceVersion: "5" },
        { kind: "put", object: thing("c", "6") },
      ],
    });
  });

  test("an interrupted streamed list restarts, an interrupted watch resumes", () => {
    const half = after(INITIAL_WATCH_STATE, [added("a", "1")]);
    expect(nextWatchState(half.state, { kind: "disconnected" })).toEqual({ state: INITIAL_WATCH_STATE, changes: [] });
    expect(nextWatchState(watching, { kind: "disconnected" })).toEqual({ state: watching, changes: [] });
  });

  test("every event and bookmark advances the resourceVersion from which a watch resumes", () => {
    expect(after(watching, [{ type: "MODIFIED", object: thing("a", "8") }])).toEqual({
      state: { phase: "watching", resourceVersion: "8" },
      changes: [{ kind: "put", object: thing("a", "8") }],
    });
    expect(after(watching, [{ type: "DELETED", object: thing("a", "9") }]).changes).toMatchObject([{ kind: "remove" }]);
    expect(after(watching, [bookmark("12")])).toEqual({
      state: { phase: "watching", resourceVersion: "12" },
      changes: [],
    });
  });

  test("an expired resourceVersion or continue token causes a relist and leaves the store unchanged", () => {
    expect(nextWatchState(watching, { kind: "expired" })).toEqual({ state: INITIAL_WATCH_STATE, changes: [] });
    const half: WatchState<KubeObject> = {
      phase: "listing",
      continueToken: "t",
      collected: { before: undefined, latest: [thing("a", "1")] },
    };
    expect(nextWatchState(half, { kind: "expired" }).state).toEqual(INITIAL_WATCH_STATE);
  });
});
