import { describe, expect, test } from "vitest";
import { deletionWait } from "./deletion-wait.ts";
import type { Terminating } from "./deletion-wait.ts";

const NOW = Date.parse("2026-01-01T00:10:00Z");
const object = (name: string, since: string, finalizers: readonly string[] = []): Terminating => ({
  group: "example.com",
  kind: "Widget",
  namespace: "shop",
  name,
  finalizers,
  since,
});
const about = { timeout: "10m", now: NOW, hintFor: "operand/shop" };

describe("the wait for deletions", () => {
  test("names the objects, their finalizers and deletion times, and is due at the first timeout", () => {
    const objects = [object("a", "2026-01-01T00:01:00Z", ["x.dev/f", "y.dev/g"]), object("b", "2026-01-01T00:02:00Z")];
    expect(deletionWait(objects, about)).toEqual({
      reason: "WaitingForDeletion",
      message:
        "waiting for deletion: widget.example.com/a in shop (deleted 2026-01-01T00:01:00Z, finalizers x.dev/f, y.dev/g) and others",
      dueMs: 60_000,
    });
  });

  test("times out with the object that was deleted first, and states how to continue", () => {
    const objects = [object("b", "2026-01-01T00:02:00Z"), object("a", "2026-01-01T00:00:00Z", ["x.dev/f"])];
    expect(deletionWait(objects, about)).toEqual({
      reason: "DeletionTimedOut",
      message:
        "not deleted within 10m: widget.example.com/a in shop (deleted 2026-01-01T00:00:00Z, finalizers x.dev/f); " +
        "check its finalizers, or skip the wait: kubectl annotate operand/shop operand.levelset.dev/skip-deletion-wait=true",
      dueMs: undefined,
    });
  });

  test("has a stable message, so that it is not written again", () => {
    const words = [0, 1_000, 500_000].map(
      (ms) => deletionWait([object("a", "2026-01-01T00:09:00Z")], { ...about, now: NOW + ms }).message,
    );
    expect(new Set(words).size).toBe(1);
  });

  test("defaults to ten minutes", () => {
    const wait = deletionWait([object("a", "2026-01-01T00:09:00Z")], { ...about, timeout: undefined });
    expect(wait.dueMs).toBe(540_000);
  });
});
