import fc from "fast-check";
import { expect, test } from "vitest";
import { LiveTable } from "./live-table.ts";

interface Row {
  readonly id: string;
  readonly value: number;
}

const step = fc.oneof(
  fc.record({ kind: fc.constant("put" as const), id: fc.constantFrom("a", "b", "c"), value: fc.nat(2) }),
  fc.record({ kind: fc.constant("remove" as const), id: fc.constantFrom("a", "b", "c") }),
  fc.record({ kind: fc.constant("poll" as const) }),
);

test("a subscriber that resumes from any position ends with the current rows", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const table = new LiveTable<Row>("e");
      table.open();
      const mine = new Map<string, Row>();
      let position = "";
      const poll = (): void => {
        const update = table.since(position);
        if (update === undefined) return;
        position = update.position;
        if (update.message.kind === "reset") mine.clear();
        if (update.message.kind === "reset") for (const row of update.message.rows) mine.set(row.id, row as Row);
        if (update.message.kind === "change") {
          for (const row of update.message.put) mine.set(row.id, row as Row);
          for (const id of update.message.removed) mine.delete(id);
        }
      };
      for (const each of steps) {
        if (each.kind === "put") table.put({ id: each.id, value: each.value });
        else if (each.kind === "remove") table.remove(each.id);
        else poll();
      }
      poll();
      expect([...mine.values()].toSorted(byId)).toEqual([...table.rows()].toSorted(byId));
      expect(table.since(position)).toBeUndefined();
    }),
  );
});

function byId(a: Row, b: Row): number {
  return a.id < b.id ? -1 : 1;
}

test("a position of another process, or an old one, returns all rows", () => {
  const table = new LiveTable<Row>("now");
  table.open();
  table.put({ id: "a", value: 1 });
  expect(table.since("before.1")?.message).toEqual({ kind: "reset", rows: [{ id: "a", value: 1 }] });
  const { position = "" } = table.since("") ?? {};
  for (let value = 2; value < 30_000; value++) table.put({ id: "a", value });
  expect(table.since(position)?.message.kind).toBe("reset");
});

test("putting an equal row is not a change", () => {
  const table = new LiveTable<Row>("e");
  table.open();
  table.put({ id: "a", value: 1 });
  const { position = "" } = table.since("") ?? {};
  let calls = 0;
  table.subscribe(() => (calls += 1));
  table.put({ id: "a", value: 1 });
  expect(calls).toBe(0);
  expect(table.since(position)).toBeUndefined();
});
