import { expect, test } from "vitest";
import { replayText, verdictText } from "./replay-text.ts";

const violation = { rule: "left-behind", message: "It stays.", expected: "It is gone." } as const;

test("a replay shows each operation and fault with what the operators did after it", () => {
  const text = replayText([
    { atMs: 0, kind: "operation", text: "a user creates Note default/a" },
    { atMs: 5, kind: "write", text: "ConfigMap default/a is created" },
    { atMs: 60_000, kind: "fault", text: "all watches are cut" },
    { atMs: 60_000, kind: "operation", text: "a user deletes Note default/a" },
    { atMs: 60_207, kind: "write", text: "ConfigMap default/a is deleted" },
    { atMs: 61_527, kind: "status", text: "Note default/a is gone" },
  ]);
  expect(text).toBe(
    [
      "1.    0 ms  a user creates Note default/a",
      "            · ConfigMap default/a is created (5 ms)",
      "2.      1m  FAULT all watches are cut",
      "            · the operators write nothing",
      "3.      1m  a user deletes Note default/a",
      "            · ConfigMap default/a is deleted (1m 0.207s)",
      "            · Note default/a is gone (1m 1.527s)",
    ].join("\n"),
  );
});

test("the verdict says whether the rule is violated, fixed, or another one is violated", () => {
  expect(verdictText(violation, undefined)).toBe("left-behind is fixed: the case violates no rule.");
  expect(verdictText(violation, violation)).toMatch(/^left-behind is violated\.\n {2}found {5}It stays\./u);
  expect(verdictText(violation, { ...violation, rule: "hot-loop" })).toMatch(
    /^hot-loop is violated, and left-behind no longer\./u,
  );
});
