import { expect, test } from "vitest";
import { openDatabase } from "./database.ts";

test("a parameter is taken by its number: in any order, several times, or not at all", async () => {
  const database = await openDatabase(":memory:");
  const [row] = database.rows("SELECT $2 AS b, $1 AS a, $2 || $12 AS c", [1, "x", ...Array(9).fill(null), "y"]);
  expect({ ...row }).toEqual({ a: 1, b: "x", c: "xy" });
  database.close();
});
