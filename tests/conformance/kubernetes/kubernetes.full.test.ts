import { describe, expect, test } from "vitest";
import { onRealCluster } from "../../support/real-cluster.ts";
import { CASES } from "./cases/index.ts";
import { idOf } from "./suite/case.ts";
import { readExceptions } from "./suite/exceptions.ts";
import { findKubectls } from "./suite/kubectl.ts";
import { startEmbeddedConformanceServer } from "./suite/embedded-server.ts";
import { startKubeConformanceServer } from "./suite/kube-apiserver.ts";
import { runCases } from "./suite/run.ts";
import type { ConformanceServer } from "./suite/conformance-server.ts";
import { summarize } from "./suite/suite-summary.ts";
import type { SuiteSummary } from "./suite/suite-summary.ts";

const PARALLEL = 8;
/** One kubectl suffices here; `npm run conformance -- kubernetes` uses all that are found. */
const KUBECTLS = findKubectls().slice(-1);
const RUNNABLE = CASES.filter(({ client }) => client !== "kubectl" || KUBECTLS.length > 0);

async function verdictOn(target: ConformanceServer, exceptions: ReadonlyMap<string, string>): Promise<SuiteSummary> {
  await using running = target;
  const results = await runCases({ target: running, cases: RUNNABLE, kubectls: KUBECTLS, parallel: PARALLEL });
  return summarize(results, exceptions, false);
}

const reported = ({ failures }: SuiteSummary): readonly string[] =>
  failures.map(({ case: each, failure }) => `${idOf(each)}: ${failure}`);

describe("conformance", () => {
  test("the embedded server passes every case except the listed exceptions, which fail", async () => {
    const verdict = await verdictOn(await startEmbeddedConformanceServer(), readExceptions());
    expect(reported(verdict)).toEqual([]);
    expect(verdict.outdated).toEqual([]);
  });
});

await onRealCluster("conformance of kube-apiserver", () => {
  test("every case passes on kube-apiserver", async () => {
    const target = await startKubeConformanceServer();
    if (typeof target === "string") throw new Error(target);
    expect(reported(await verdictOn(target, new Map()))).toEqual([]);
  });
});
