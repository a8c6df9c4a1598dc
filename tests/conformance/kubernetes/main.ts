import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { CASES } from "./cases/index.ts";
import { readArguments } from "./suite/arguments.ts";
import type { Arguments } from "./suite/arguments.ts";
import { idOf } from "./suite/case.ts";
import type { Case } from "./suite/case.ts";
import { readExceptions } from "./suite/exceptions.ts";
import { findKubectls } from "./suite/kubectl.ts";
import { page, PAGE } from "./suite/page.ts";
import { checkUnique, runCases } from "./suite/run.ts";
import type { Result } from "./suite/run.ts";
import { startKubeConformanceServer } from "./suite/kube-apiserver.ts";
import type { ConformanceServer, ServerName } from "./suite/conformance-server.ts";
import { summarize } from "./suite/suite-summary.ts";

const PARALLEL = 8;

/** Runs the suite, prints differences, writes the page if requested, and returns the exit code. */
export async function kubernetes(args: readonly string[]): Promise<number> {
  const options = readArguments(args);
  checkUnique(CASES);
  const { filter } = options;
  const cases = filter === undefined ? CASES : CASES.filter((each) => idOf(each).includes(filter));
  // Loaded on demand and first: a run on kube-apiserver does not need the embedded server.
  const ours = options.targets.includes("ours") ? await import("./suite/embedded-server.ts") : undefined;
  const results = new Map<ServerName, readonly Result[]>();
  for (const name of options.targets) {
    const target = name === "ours" ? await ours?.startEmbeddedConformanceServer() : await startKubeConformanceServer();
    if (typeof target === "string") say(target);
    else if (target !== undefined) results.set(name, await runOn(target, cases, options));
  }
  return report(results, options);
}

async function runOn(
  target: ConformanceServer,
  cases: readonly Case[],
  options: Arguments,
): Promise<readonly Result[]> {
  await using running = target;
  const found = findKubectls();
  const groups = Map.groupBy(cases, ({ group }) => group);
  const ended = new Map<string, Result[]>();
  return await runCases({
    target: running,
    cases,
    kubectls: options.kubectl === "all" ? found : found.slice(-1),
    parallel: PARALLEL,
    ended: (result) => {
      const { group } = result.case;
      const results = [...(ended.get(group) ?? []), result];
      ended.set(group, results);
      if (results.length < (groups.get(group)?.length ?? 0)) return;
      const passed = results.filter(({ failure }) => failure === undefined).length;
      say(`${target.name}: ${group}: ${passed} of ${results.length}`);
    },
  });
}

function report(results: ReadonlyMap<ServerName, readonly Result[]>, options: Arguments): number {
  const exceptions = readExceptions();
  const ours = results.get("ours") ?? [];
  const real = results.get("real") ?? [];
  const verdict = summarize(
    ours,
    results.has("ours") ? exceptions : new Map(),
    options.filter === undefined && options.kubectl === "all",
  );
  const truth = summarize(real, new Map(), false);
  for (const { case: each, failure } of truth.failures) say(`real fails: ${idOf(each)}\n    ${failure}`);
  for (const { case: each, failure } of verdict.failures) say(`ours fails: ${idOf(each)}\n    ${failure}`);
  for (const { case: each } of verdict.excepted) say(`ours differs, as listed: ${idOf(each)}`);
  for (const id of verdict.outdated) say(`outdated exception: ${id}`);
  if (options.write && results.size === 2)
    writeFileSync(fileURLToPath(new URL(`../../../${PAGE}`, import.meta.url)), page(ours, real, exceptions));
  if (results.has("real")) say(`on kube-apiserver: passed ${truth.passed} of ${truth.total}`);
  if (results.has("ours")) say(`passed ${verdict.passed} of ${verdict.total}`);
  const clean = verdict.failures.length === 0 && verdict.outdated.length === 0 && truth.failures.length === 0;
  return clean && results.size > 0 ? 0 : 1;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
