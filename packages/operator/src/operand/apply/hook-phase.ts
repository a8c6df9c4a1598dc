import type { SpecOf } from "@levelset/core";
import type { OperandReq } from "../inventory/inventory.ts";
import type { ManifestItem } from "../spec/item.ts";
import type { ManifestSet } from "../spec/manifest-set.ts";
import { hooksOf, skipsHooks } from "../spec/hook-order.ts";
import { SKIP_HOOKS } from "../spec/labels-and-annotations.ts";
import { liveRefId } from "../spec/live-ref.ts";
import type { HookName, Operand } from "../spec/operand-kinds.ts";
import { applySet } from "./apply-set.ts";
import type { ApplySetOptions, ApplySetResult } from "./apply-set.ts";
import { setHashOf } from "./job-runs.ts";
import type { JobRuns } from "./job-runs.ts";

/**
 * Reports whether a hook of the set has to run in this installation. preInstall and postInstall belong to the first
 * one, until the set has been ready once; preUpgrade to each later one with other manifests.
 */
export function isHookDue(req: OperandReq, { jobs }: Pick<ManifestSet, "jobs">, hook: HookName): boolean {
  const { object } = req;
  if (dueHooks(object, jobs).has(hook)) return true;
  if (!skipsHooks(object) || !unskippedHooks(object, jobs).has(hook)) return false;
  const message = `hook ${hook} is skipped: the annotation ${SKIP_HOOKS} is set`;
  req.event({ type: "Warning", reason: "HookSkipped", message });
  return false;
}

/** Returns the hooks that run in an installation; none if they are skipped. */
export function dueHooks(operand: OperandReq["object"], jobs: readonly ManifestItem[]): ReadonlySet<HookName> {
  return jobs.length === 0 || skipsHooks(operand) ? NONE : unskippedHooks(operand, jobs);
}

const NONE: ReadonlySet<HookName> = new Set();

function unskippedHooks({ spec, status }: OperandReq["object"], jobs: readonly ManifestItem[]): ReadonlySet<HookName> {
  const isFirst = status?.latestReadyActiveOperand === undefined;
  const names: readonly HookName[] = isFirst ? ["preInstall", "postInstall"] : ["preUpgrade"];
  const due = names.filter((hook) => hooksOf(jobs, hook).length > 0);
  return new Set(due.filter((hook) => hook !== "preUpgrade" || status?.installedSetHash !== setHashOf(spec)));
}

/** Returns the hash of an installed set, if its preUpgrade hooks need it to recognize another set. */
export function hashToCompare(spec: SpecOf<Operand>, jobs: readonly ManifestItem[]): string | undefined {
  return hooksOf(jobs, "preUpgrade").length === 0 ? undefined : setHashOf(spec);
}

/** Options of {@link applyWithHook}. */
export interface ApplyWithHookOptions extends ApplySetOptions {
  readonly jobs: JobRuns;
}

/**
 * Applies objects of a set and runs the Jobs of a hook. The Jobs of preInstall and preUpgrade run in the install order,
 * those of postInstall once all other objects are ready.
 */
export async function applyWithHook(
  items: readonly ManifestItem[],
  hook: HookName | undefined,
  options: ApplyWithHookOptions,
): Promise<ApplySetResult> {
  const { jobs } = options;
  jobs.active = new Set(hook === undefined || hook === "postInstall" ? [] : [hook]);
  const first = await applySet(items, options);
  if (hook !== "postInstall" || !first.items.every(({ readiness }) => readiness.kind === "ready")) return first;
  jobs.active = new Set([hook]);
  const hooks = hooksOf(items, hook);
  const ids = new Set(hooks.map(({ ref }) => liveRefId(ref)));
  // All other dependencies are ready.
  const among = hooks.map((item) => ({ ...item, dependsOn: item.dependsOn.filter((ref) => ids.has(liveRefId(ref))) }));
  const last = new Map((await applySet(among, options)).items.map((one) => [liveRefId(one.item.ref), one]));
  return { items: first.items.map((one) => last.get(liveRefId(one.item.ref)) ?? one) };
}
