import { VirtualClock } from "@levelset/core/testing";
import { expect, test } from "vitest";
import { ProcessClock } from "./process-clock.ts";

test("timers of a stalled process fire when it continues, unless they are cancelled", async () => {
  const shared = new VirtualClock(0);
  const clock = new ProcessClock(shared);
  const fired: string[] = [];
  clock.after(10, () => fired.push(`a@${clock.monotonic()}`));
  const cancelled = clock.after(20, () => fired.push("cancelled"));
  clock.after(200, () => fired.push(`b@${clock.monotonic()}`));
  shared.after(10, () => fired.push(`other@${shared.monotonic()}`));
  clock.stall(100);
  await shared.advance(50);
  cancelled.cancel();
  expect(clock.stalledMs).toBe(50);
  await shared.advance(150);
  expect(fired).toEqual(["other@10", "a@100", "b@200"]);
});
