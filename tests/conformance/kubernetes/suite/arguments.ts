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

/** Reads the arguments; an unknown one is an error that names it. */
export function readArguments(args: readonly string[]): Arguments {
  const { values } = parseArgs({
    args: [...args],
    options: {
      target: { type: "string", default: "both" },
      filter: { type: "string" },
      kubectl: { type: "string", default: "all" },
      write: { type: "boolean", default: false },
    },
  });
  const targets = TARGETS.get(values.target);
  if (targets === undefined) throw new Error(`--target is ours, real or both, not ${values.target}`);
  if (values.kubectl !== "all" && values.kubectl !== "newest") throw new Error("--kubectl is all or newest");
  if (values.write && (values.filter !== undefined || targets.length < 2 || values.kubectl !== "all")) {
    throw new Error("--write needs all cases on both targets, with every kubectl");
  }
  return { targets, filter: values.filter, write: values.write, kubectl: values.kubectl };
}
