import { isWrite } from "@levelset/core/testing";
import type { Violation } from "../violation/index.ts";
import { isBookkeeping } from "../world/index.ts";
import type { SentRequest } from "../world/index.ts";

/** What processes did during one operation. */
export interface Effort {
  /** The operation: `a user creates Thing default/a`. */
  readonly operation: string;
  readonly writes: number;
  /** How many paths were written. */
  readonly paths: number;
  /** The time that passed. */
  readonly ms: number;
}

/** Writes for an operation beyond those of a multiple of the new cluster, of each path and of each minute. */
const WRITES_MIN = 20;
const TIMES = 10;
const WRITES_PER_MINUTE = 5;

/** Returns the effort of the requests that were sent during an operation. */
export function effortOf(operation: string, requests: readonly SentRequest[], ms: number): Effort {
  const writes = requests.filter((request) => isWrite(request) && !isBookkeeping(request));
  return { operation, writes: writes.length, paths: new Set(writes.map(({ path }) => path)).size, ms };
}

/** Finds an operation without faults that leads to far more writes than a new cluster with the same objects needs. */
export function findExcess(fresh: readonly Effort[], efforts: readonly Effort[]): Violation | undefined {
  const needed = fresh.reduce((sum, { writes }) => sum + writes, 0);
  const excess = efforts.find(
    ({ writes, paths, ms }) => writes > WRITES_MIN + TIMES * (needed + paths) + (WRITES_PER_MINUTE * ms) / 60_000,
  );
  if (excess === undefined) return undefined;
  return {
    rule: "hot-loop",
    message: `The operator sends ${excess.writes} writes to ${excess.paths} paths when ${excess.operation}, and ${needed} in a new cluster.`,
    expected: "A change needs about as many writes as the creation of the same objects.",
  };
}
