import type { ObjectNode } from "@levelset/operator";
import { expect, test } from "vitest";
import { explainText } from "./explain-text.ts";

test("an explanation has colours only if the terminal supports them", () => {
  const node: ObjectNode = {
    apiVersion: "v1",
    kind: "Pod",
    namespace: "default",
    name: "a",
    state: "failed",
    objectState: "Failed",
    message: "out of memory",
    conditions: [],
    details: [],
    events: [],
    causes: [],
    left: 0,
  };
  expect(explainText(node, { now: 0, colors: false })).toBe("Pod a   Failed: out of memory\n");
  expect(explainText(node, { now: 0, colors: true })).toBe(
    "\u001B[1mPod a\u001B[22m   \u001B[31mFailed: out of memory\u001B[39m\n",
  );
});
