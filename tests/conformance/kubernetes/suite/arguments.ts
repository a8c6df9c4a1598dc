import { parseArgs } from "node:util";
import type { ServerName } from "./conformance-server.ts";

/** Arguments of `npm run conformance -- kubernetes`. */
export interface Arguments {
  readonly targets: readonly ServerName[];
  /** Only cases whose id contains this text. */
  readonly filter: string | undefined;
  /** Whether to write the page. */
  readonly write: boolean;
  /** Whether kubectl cases run with all versions found, or with the newest only. */
  readonly kubectl: "all" | "newest";
}

const TARGETS: ReadonlyMap<string, readonly ServerName[]> = new Map([
  ["ours", ["ours"]],
  ["real", ["real"]],
  ["both", ["real", "ours"]],
]);

/** Contradictory arguments, or an invalid value. */
export class ArgumentError extends Error {}

/** Parses the arguments. Throws an ArgumentError that names the invalid one. */
export function readArguments(args: readonly string[]): Arguments {
  const values = parse(args);
  const targets = TARGETS.get(values.target);
  if (targets === undefined) throw new ArgumentError(`--target must be ours, real or both, not ${values.target}`);
  if (values.kubectl !== "all" && values.kubectl !== "newest")
    throw new ArgumentError("--kubectl must be all or newest");
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
    // Errors of Node's parser: a missing value, an unexpected argument.
    throw new ArgumentError(error instanceof Error ? error.message : String(error));
  }
}
