import { expect, test } from "vitest";
import { JsonError } from "./json-error.ts";

test("an error counts lines and columns from one", () => {
  expect(new JsonError("why", "a\nbc\nd", 0)).toMatchObject({ line: 1, column: 1 });
  expect(new JsonError("why", "a\nbc\nd", 3)).toMatchObject({ line: 2, column: 2 });
  expect(new JsonError("why", "a\nbc\nd", 6)).toMatchObject({ line: 3, column: 2 });
  expect(new JsonError("why", "\n", 0).message).toBe("invalid JSON at line 1 column 1: why");
});
