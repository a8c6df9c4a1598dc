import { expect, test } from "vitest";
import { runWithFaultAtEachWrite } from "./operand-step.fixture.ts";

test("a set that is installed by the operand step ends as declared when the process crashes at any one write", async () => {
  expect(await runWithFaultAtEachWrite({ kind: "crash" })).toBeGreaterThan(8);
});
