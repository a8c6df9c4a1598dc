import { parseArgs } from "node:util";
import type { TargetName } from "./target.ts";

/** What `npm run conformance -- kubernetes` is told. */
export interface Arguments {
  readonly targets: readonly TargetName[];
  /** Only cases whose id contains it. */
  readonly filter: string | undefined;
  /** Whether the page is written. */
  readonly write: boolean;
  /** Whether kubectl's cases run with all that are found, or with the newest only. */
  readonly kubectl: "all" | "newest";
}

const TARGETS: ReadonlyMap<string, readonly TargetName[]> = new Map([
  ["ours", ["ours"]],
  ["real", ["real"]],
  ["both", ["real", "ours"]],
]);

/** Arguments that contradict each other, or a value that cannot be. */
export class ArgumentError extends Error {}

/** Reads the arguments; throws an ArgumentError that names the one that cannot be. */
export function readArguments(args: readonly string[]): Arguments {
  const values = parse(args);
  const targets = TARGETS.get(values.target);
  if (targets === undefined) throw new ArgumentError(`--target is ours, real or both, not ${values.target}`);
  if (values.kubectl !== "all" && values.kubectl !== "newest") throw new ArgumentError("--kubectl is all or newest");
  if (values.write && (values.filter !== undefined || targets.length < 2 || values.kubectl !== "all")) {
    throw new ArgumentError("--write needs all cases on both targets, with every kubectl");
  }
  return { targets, filter: values.filter, write: values.write, kubectl: values.kubectl };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        target: { type: "string", default: "both" },
        filter: { type: "string" },
        kubectl: { type: "string", default: "all" },
        write: { type: "boolean", default: false },
      },
    }).values;
  } catch (error) {
    // What Node's own parser refuses: a value that is missing, a word too many.
    throw new ArgumentError(error instanceof Error ? error.message : String(error));
  }
}
