import type { Fault } from "@levelset/core/testing";
import { expect, test } from "vitest";
import { CLEAN, jobLife } from "./job-life.fixture.ts";

test.each<Fault>([{ kind: "answer-lost" }, { kind: "crash" }])(
  "$kind at any one write: each Job completes once, and nothing is left behind",
  async (fault) => {
    const writes = await jobLife({ fault, nth: CLEAN });
    expect(writes).toBeGreaterThan(15);
    for (let nth = 1; nth <= writes; nth++) await jobLife({ fault, nth });
  },
);
