import { expect, test } from "vitest";
import { redactPage } from "./redact-page.ts";

test("Secret values are masked in texts at any depth; names are unchanged", () => {
  const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "hunter2" }, stringData: { p: "hunter2" } };
  const page = {
    name: "hunter2",
    node: { message: "hunter2 is wrong", causes: [{ conditions: [{ message: "no hunter2", type: "Ready" }] }] },
    runs: [{ reasons: ["hunter2 came"], number: 1, steps: [{ message: "aHVudGVyMg==" }] }],
  };
  expect(redactPage(page, [{ spec: [secret] }])).toEqual({
    name: "hunter2",
    node: { message: "*** is wrong", causes: [{ conditions: [{ message: "no ***", type: "Ready" }] }] },
    runs: [{ reasons: ["*** came"], number: 1, steps: [{ message: "***" }] }],
  });
});
