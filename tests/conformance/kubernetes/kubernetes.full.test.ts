import { describe, expect, test } from "vitest";
import { onRealCluster } from "../../support/real-cluster.ts";
import { CASES } from "./cases/index.ts";
import { idOf } from "./suite/case.ts";
import { readExceptions } from "./suite/exceptions.ts";
import { findKubectls } from "./suite/kubectl.ts";
import { ourTarget } from "./suite/our-target.ts";
import { realTarget } from "./suite/real-target.ts";
import { runCases } from "./suite/run.ts";
import type { ConformanceTarget } from "./suite/target.ts";
import { judge } from "./suite/verdict.ts";
import type { Verdict } from "./suite/verdict.ts";

const PARALLEL = 8;
const DEADLINE_MS = 300_000;
/** One kubectl suffices here; `npm run conformance -- kubernetes` takes all that are found. */
const KUBECTLS = findKubectls().slice(-1);
const RUNNABLE = CASES.filter(({ client }) => client !== "kubectl" || KUBECTLS.length > 0);

async function verdictOn(target: ConformanceTarget, exceptions: ReadonlyMap<string, string>): Promise<Verdict> {
  await using running = target;
  const results = await runCases({ target: running, cases: RUNNABLE, kubectls: KUBECTLS, parallel: PARALLEL });
  return judge(results, exceptions, false);
}

const told = ({ failures }: Verdict): readonly string[] =>
  failures.map(({ case: each, failure }) => `${idOf(each)}: ${failure}`);

describe("conformance", () => {
  test(
    "the embedded server passes every case but the listed exceptions, and those fail",
    { timeout: DEADLINE_MS },
    async () => {
      const verdict = await verdictOn(await ourTarget(), readExceptions());
      expect(told(verdict)).toEqual([]);
      expect(verdict.outdated).toEqual([]);
    },
  );
});

await onRealCluster("conformance of a real kube-apiserver", () => {
  test("every case is true of a real kube-apiserver", { timeout: DEADLINE_MS }, async () => {
    const target = await realTarget();
    if (typeof target === "string") throw new Error(target);
    expect(told(await verdictOn(target, new Map()))).toEqual([]);
  });
});
