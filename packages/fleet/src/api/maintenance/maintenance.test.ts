import { atRest, memoryLogger, seededRandom, VirtualClock } from "@levelset/core/testing";
import { expect, test } from "vitest";
import { StoreUnavailable } from "../../store/index.ts";
import type { TrimRequest } from "../../store/index.ts";
import { Maintenance } from "./maintenance.ts";

const MINUTE = 60_000;

test("the past is trimmed at once and then again and again, also after a failure, until told to stop", async () => {
  const clock = new VirtualClock();
  const { logger, lines } = memoryLogger();
  const asked: (TrimRequest & { readonly at: number })[] = [];
  const start = clock.now();
  const trim = async (request: TrimRequest): Promise<void> => {
    asked.push({ ...request, at: clock.now() - start });
    if (asked.length === 2) throw new StoreUnavailable("away");
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
  await atRest();
  await clock.advance(2.5 * MINUTE);
  stopping.abort();
  await running;
  expect(asked).toHaveLength(3);
  for (const [index, request] of asked.entries()) {
    expect(Math.abs(request.at - index * MINUTE)).toBeLessThanOrEqual(index * 0.1 * MINUTE);
    const now = start + request.at;
    expect(request).toMatchObject({
      reportsPerResource: 3,
      auditBefore: now - 4 * MINUTE,
      answersBefore: now - 2 * MINUTE,
      removedBefore: now - MINUTE,
    });
  }
  expect(lines.map(({ level, message }) => `${level} ${message}`)).toEqual(["warn the past was not trimmed"]);
});

test("keeping nothing at all is a mistake", () => {
  const world = { store: { trim: async () => {} }, clock: new VirtualClock(), random: seededRandom(1) };
  const make = (): unknown => new Maintenance({ ...world, logger: memoryLogger().logger, retention: { removedMs: 0 } });
  expect(make).toThrow("removedMs");
});
