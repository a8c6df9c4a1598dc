import { expect, test } from "vitest";
import { Cadence } from "./cadence.ts";

test("the limit of silence is unknown until two bookmarks came, then follows the longest pause", () => {
  const cadence = new Cadence();
  cadence.observe(0);
  expect(cadence.idleMaxMs).toBeUndefined();
  cadence.observe(60_000);
  cadence.observe(65_000);
  expect(cadence.idleMaxMs).toBe(180_000);
});

test("a server with quick bookmarks is still given half a minute", () => {
  const cadence = new Cadence();
  cadence.observe(0);
  cadence.observe(1_000);
  expect(cadence.idleMaxMs).toBe(30_000);
});

test("the time between two connections is no pause of the server", () => {
  const cadence = new Cadence();
  cadence.observe(0);
  cadence.observe(60_000);
  cadence.restart();
  cadence.observe(1_000_000);
  expect(cadence.idleMaxMs).toBe(180_000);
});
