import { StatusError, TransportError } from "@levelset/core";
import { describe, expect, test } from "vitest";
import type { ReflectorHealth } from "../watch/index.ts";
import { watchPhase } from "./watch-failure.ts";

const Widget = { plural: "widgets", group: "example.com" };
const SYNCED: ReflectorHealth = {
  isSynced: true,
  isRefreshing: false,
  resourceVersion: "7",
  lastEventAt: 0,
  lists: 1,
  connects: 1,
  failures: 0,
  failure: undefined,
};
const UNSYNCED: ReflectorHealth = { ...SYNCED, isSynced: false, resourceVersion: undefined };
const forbidden = new StatusError("Forbidden", "User x cannot list");

describe("a kind", () => {
  test("is starting until its first list is complete, and during a refresh", () => {
    expect(watchPhase(Widget, UNSYNCED)).toEqual({ kind: "starting" });
    expect(watchPhase(Widget, { ...SYNCED, isRefreshing: true })).toEqual({ kind: "starting" });
    expect(watchPhase(Widget, SYNCED)).toEqual({ kind: "watching" });
  });

  test.each([
    [forbidden, true, "cannot list widgets.example.com: forbidden (needs list and watch)"],
    [
      new StatusError("MethodNotAllowed", "no"),
      true,
      "cannot list widgets.example.com: the server does not support it",
    ],
    [new StatusError("InternalError", "etcd"), false, "cannot list widgets.example.com: InternalError: etcd"],
    [new TransportError("refused"), false, "cannot list widgets.example.com: refused"],
  ])("whose first list fails is failing at once: %s", (failure, isRefused, message) => {
    const phase = watchPhase(Widget, { ...UNSYNCED, failure, failures: 1 });
    expect(phase).toMatchObject({ kind: "failing", failure: { isRefused, message: expect.stringContaining(message) } });
  });

  test("that was listed once is failing only after repeated errors of the server", () => {
    const at = (failure: Error, failures: number): string => watchPhase(Widget, { ...SYNCED, failure, failures }).kind;
    expect([1, 2, 3].map((failures) => at(forbidden, failures))).toEqual(["watching", "watching", "failing"]);
    expect(at(new TransportError("connection reset"), 50)).toBe("watching");
  });

  test("whose watch is rejected names the verb; the core group has no suffix", () => {
    const phase = watchPhase({ plural: "pods", group: "" }, { ...SYNCED, failure: forbidden, failures: 3 });
    expect(phase).toMatchObject({ failure: { message: "cannot watch pods: forbidden (needs list and watch)" } });
  });
});
