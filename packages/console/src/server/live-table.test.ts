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
  fc.record({ kind: fc.constant("look" as const) }),
);

test("whoever comes back with a position ends up with the rows as they are, wherever they left", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const table = new LiveTable<Row>("e");
      table.open();
      const mine = new Map<string, Row>();
      let position = "";
      const look = (): void => {
        const news = table.since(position);
        if (news === undefined) return;
        position = news.position;
        if (news.message.kind === "reset") mine.clear();
        if (news.message.kind === "reset") for (const row of news.message.rows) mine.set(row.id, row as Row);
        if (news.message.kind === "change") {
          for (const row of news.message.put) mine.set(row.id, row as Row);
          for (const id of news.message.gone) mine.delete(id);
        }
      };
      for (const each of steps) {
        if (each.kind === "put") table.put({ id: each.id, value: each.value });
        else if (each.kind === "remove") table.remove(each.id);
        else look();
      }
      look();
      expect([...mine.values()].toSorted(byId)).toEqual([...table.rows()].toSorted(byId));
      expect(table.since(position)).toBeUndefined();
    }),
  );
});

function byId(a: Row, b: Row): number {
  return a.id < b.id ? -1 : 1;
}

test("a position of another process, or of long ago, gets everything", () => {
  const table = new LiveTable<Row>("now");
  table.open();
  table.put({ id: "a", value: 1 });
  expect(table.since("before.1")?.message).toEqual({ kind: "reset", rows: [{ id: "a", value: 1 }] });
  const { position = "" } = table.since("") ?? {};
  for (let value = 2; value < 30_000; value++) table.put({ id: "a", value });
  expect(table.since(position)?.message.kind).toBe("reset");
});

test("a row that is put again as it was is no news", () => {
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
