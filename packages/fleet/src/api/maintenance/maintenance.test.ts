import { untilIdle, memoryLogger, seededRandom, VirtualClock } from "@levelset/core/testing";
import { expect, test } from "vitest";
import { StoreUnavailableError } from "../../store/index.ts";
import type { TrimRequest } from "../../store/index.ts";
import { Maintenance } from "./maintenance.ts";

const MINUTE = 60_000;

test("expired data is deleted at once and then periodically, also after a failure, until stopped", async () => {
  const clock = new VirtualClock();
  const { logger, lines } = memoryLogger();
  const requests: (TrimRequest & { readonly at: number })[] = [];
  const start = clock.now();
  const trim = async (request: TrimRequest): Promise<void> => {
    requests.push({ ...request, at: clock.now() - start });
    if (requests.length === 2) throw new StoreUnavailableError("away");
  };
  const retention = {
    reportsPerResource: 3,
    auditMs: 4 * MINUTE,
    answersMs: 2 * MINUTE,
    removedMs: MINUTE,
    everyMs: MINUTE,
  };
  const stopping = new AbortController();
  const maintenance = new Maintenance({ store: { trim }, clock, random: seededRandom(1), logger, retention });
  const running = maintenance.run(stopping.signal);
  await untilIdle();
  await clock.advance(2.5 * MINUTE);
  stopping.abort();
  await running;
  expect(requests).toHaveLength(3);
  for (const [index, request] of requests.entries()) {
    expect(Math.abs(request.at - index * MINUTE)).toBeLessThanOrEqual(index * 0.1 * MINUTE);
    const now = start + request.at;
    expect(request).toMatchObject({
      reportsPerResource: 3,
      auditBefore: now - 4 * MINUTE,
      answersBefore: now - 2 * MINUTE,
      removedBefore: now - MINUTE,
    });
  }
  expect(lines.map(({ level, message }) => `${level} ${message}`)).toEqual(["warn expired data not deleted"]);
});

test("a retention of zero is refused", () => {
  const world = { store: { trim: async () => {} }, clock: new VirtualClock(), random: seededRandom(1) };
  const make = (): unknown => new Maintenance({ ...world, logger: memoryLogger().logger, retention: { removedMs: 0 } });
  expect(make).toThrow("removedMs");
});
