import { expect, test } from "vitest";
import { scrubbedPage } from "./scrubbed-page.ts";

test("words of others never quote a value of a Secret, however deep they are, and names stay as they are", () => {
  const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "hunter2" }, stringData: { p: "hunter2" } };
  const page = {
    name: "hunter2",
    node: { message: "hunter2 is wrong", causes: [{ conditions: [{ message: "no hunter2", type: "Ready" }] }] },
    runs: [{ reasons: ["hunter2 came"], number: 1, steps: [{ message: "aHVudGVyMg==" }] }],
  };
  expect(scrubbedPage(page, [{ spec: [secret] }])).toEqual({
    name: "hunter2",
    node: { message: "*** is wrong", causes: [{ conditions: [{ message: "no ***", type: "Ready" }] }] },
    runs: [{ reasons: ["*** came"], number: 1, steps: [{ message: "***" }] }],
  });
});
