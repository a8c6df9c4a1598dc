import { expect, test } from "vitest";
import { WatchHeartbeat } from "./watch-heartbeat.ts";

test("the idle limit is undefined until the second bookmark, then a multiple of the longest pause", () => {
  const cadence = new WatchHeartbeat();
  cadence.observe(0);
  expect(cadence.idleMaxMs).toBeUndefined();
  cadence.observe(60_000);
  cadence.observe(65_000);
  expect(cadence.idleMaxMs).toBe(180_000);
});

test("the idle limit is at least 30 s", () => {
  const cadence = new WatchHeartbeat();
  cadence.observe(0);
  cadence.observe(1_000);
  expect(cadence.idleMaxMs).toBe(30_000);
});

test("the time between two connections does not count as a pause", () => {
  const cadence = new WatchHeartbeat();
  cadence.observe(0);
  cadence.observe(60_000);
  cadence.restart();
  cadence.observe(1_000_000);
  expect(cadence.idleMaxMs).toBe(180_000);
});
