import { parseGoDurationMs } from "@levelset/core/internal";
import { HOOKS } from "./operand-kinds.ts";
import type { HookName } from "./operand-kinds.ts";
import type { LiveRef } from "./live-ref.ts";

/** Settings of a Job of a set. */
export interface JobSettings {
  /** Points at which the Job runs; empty for a Job that is installed with the set. */
  readonly hooks: readonly HookName[];
  /** Time in which a hook must finish. */
  readonly timeoutMs: number;
  /** True for mode EnsureExists: the Job runs once, whatever its content. */
  readonly runsOnceEver: boolean;
}

const DEFAULT_TIMEOUT = "10m";

/** Reports whether a reference names a Job. */
export function isJob({ group, kind }: Pick<LiveRef, "group" | "kind">): boolean {
  return group === "batch" && kind === "Job";
}

/** Parses the hook annotations of an object. Returns undefined for an object that is not run by the Operand. */
export function parseJobSettings(
  ref: LiveRef,
  mode: "Reconcile" | "EnsureExists" | "Ignore",
  setting: (key: string) => string | undefined,
): JobSettings | { readonly problem: string } | undefined {
  const [hook, timeout] = [setting("hook"), setting("hook-timeout")];
  const names = (hook ?? "").split(",").map((name) => name.trim());
  const hooks = HOOKS.filter((name) => names.includes(name));
  const timeoutMs = parseGoDurationMs(timeout ?? DEFAULT_TIMEOUT);
  if (hook !== undefined) {
    if (!isJob(ref)) return { problem: "hook is allowed on Jobs of the group batch only" };
    const unknown = names.filter((name) => !HOOKS.some((known) => known === name));
    if (unknown.length > 0) {
      const listed = unknown.map((name) => JSON.stringify(name)).join(", ");
      return { problem: `hook must be a list of ${HOOKS.join(", ")}, not ${listed}` };
    }
    if (mode !== "Reconcile") return { problem: `hook needs mode Reconcile, not ${mode}` };
  }
  if (timeout !== undefined && hook === undefined) return { problem: "hook-timeout needs the annotation hook" };
  if (timeoutMs === undefined || timeoutMs <= 0)
    return { problem: `hook-timeout must be a duration above 0, such as 10m, not ${timeout}` };
  if (!isJob(ref) || mode === "Ignore") return undefined;
  return { hooks, timeoutMs, runsOnceEver: mode === "EnsureExists" };
}
