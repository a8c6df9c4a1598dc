import fc from "fast-check";
import { expect, test } from "vitest";
import type { StoredRecord, StoreEvent } from "./store.ts";
import { EventHistory } from "./event-history.ts";

function record(revision: number, size: number, resource: string): StoredRecord {
  const object = { apiVersion: "v1", kind: "Thing", metadata: { name: "a", uid: "u", resourceVersion: `${revision}` } };
  return { key: { resource, namespace: "", name: "a" }, object, json: "x".repeat(size), revision };
}

/** Versions that an event of each kind keeps in memory, in addition to 200 bytes of overhead. */
const held = { created: 0, updated: 1, deleted: 2 } as const;
const step = fc.record({
  kind: fc.constantFrom("created", "updated", "deleted"),
  size: fc.constantFrom(100, 300, 1_000),
  resource: fc.constantFrom("things", "others"),
});

test("the history retains the latest events within its count and byte limits", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const limits = { historyMax: 6, historyMaxBytes: 3_000 };
      const history = new EventHistory(limits, 1);
      const events = steps.map(({ kind, size, resource }, index): StoreEvent => {
        const [now, previous] = [record(index + 2, size, resource), record(1, size, resource)];
        return kind === "created"
          ? { kind, revision: index + 2, record: now }
          : { kind, revision: index + 2, record: now, previous };
      });
      for (const event of events) history.add(event);
      const kept: StoreEvent[] = [];
      let bytes = 0;
      for (const event of events.toReversed()) {
        bytes += 200 + held[event.kind] * event.record.json.length;
        if (kept.length === limits.historyMax || bytes > limits.historyMaxBytes) break;
        kept.unshift(event);
      }
      expect(history.after(0)).toEqual(kept);
      expect(history.oldest).toBe(events.length - kept.length + 1);
      expect(history.after(0, "things")).toEqual(kept.filter((one) => one.record.key.resource === "things"));
    }),
  );
});
