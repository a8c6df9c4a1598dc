import { join } from "node:path";
import { idOf } from "./case.ts";
import type { Case } from "./case.ts";
import { Connection } from "./connection.ts";
import type { KubectlBinary } from "./kubectl.ts";
import { CaseContext } from "./case-context.ts";
import type { ConformanceServer } from "./conformance-server.ts";

/** Result of a case on a target: the failure, or undefined if it passed. */
export interface Result {
  readonly case: Case;
  readonly failure: string | undefined;
  readonly tookMs: number;
}

/** Options of {@link runCases}. */
export interface RunOptions {
  readonly target: ConformanceServer;
  readonly cases: readonly Case[];
  readonly kubectls: readonly KubectlBinary[];
  /** Number of concurrent cases. */
  readonly parallel: number;
  /** Called after every case. */
  readonly ended?: (result: Result) => void;
}

/** Runs cases concurrently against a target; results are in the order of the cases. */
export async function runCases(options: RunOptions): Promise<readonly Result[]> {
  using connection = new Connection(options.target.access);
  const results: Result[] = [];
  const order = options.cases
    .map((_, index) => index)
    .toSorted((left, right) => slowness(options, right) - slowness(options, left));
  const worker = async (): Promise<void> => {
    for (let index = order.shift(); index !== undefined; index = order.shift()) {
      const each = options.cases[index];
      if (each === undefined) return;
      const began = Date.now();
      const failure = await runCase(each, index, connection, options);
      const result = { case: each, failure, tookMs: Date.now() - began };
      results[index] = result;
      options.ended?.(result);
    }
  };
  await Promise.all(Array.from({ length: options.parallel }, worker));
  return results;
}

function slowness({ cases }: RunOptions, index: number): number {
  return cases[index]?.slow === true ? 1 : 0;
}

async function runCase(
  each: Case,
  index: number,
  connection: Connection,
  { target, kubectls }: RunOptions,
): Promise<string | undefined> {
  const { kubeconfig, directory } = target;
  const attempt = async (id: string, kubectl: string | undefined): Promise<string | undefined> => {
    try {
      await each.run(new CaseContext({ connection, kubeconfig, id, kubectl, directory: join(directory, id) }));
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  };
  if (each.client !== "kubectl") return attempt(`case-${index}`, undefined);
  if (kubectls.length === 0) return "kubectl not found";
  const failures = await Promise.all(
    kubectls.map(async ({ path, minor }) => {
      const failure = await attempt(`case-${index}-${minor}`, path);
      return failure === undefined ? [] : [`kubectl 1.${minor}: ${failure}`];
    }),
  );
  return failures.flat()[0];
}

/** Fails if two cases have the same name. */
export function checkUnique(cases: readonly Case[]): void {
  const ids = cases.map(idOf);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) throw new Error(`two cases are named ${twice}`);
}
