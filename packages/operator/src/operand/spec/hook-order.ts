import type { ObjectOf } from "@levelset/core";
import type { ManifestItem } from "./item.ts";
import { liveRefId } from "./live-ref.ts";
import { SKIP_HOOKS } from "./labels-and-annotations.ts";
import type { HookName, Operand } from "./operand-kinds.ts";
import { installOrderOf, isPrerequisite } from "./stage.ts";

/** Returns the Jobs of a set that run at a hook. */
export function hooksOf(items: readonly ManifestItem[], hook: HookName): readonly ManifestItem[] {
  return items.filter(({ job }) => job?.hooks.includes(hook));
}

/** Reports whether an Operand continues without running hooks. */
export function skipsHooks({ metadata }: Pick<ObjectOf<Operand>, "metadata">): boolean {
  return metadata.annotations?.[SKIP_HOOKS] === "true";
}

/** Returns the hook that precedes this installation, from the first one until the set has been ready once. */
export function precedingHook({ status }: Pick<ObjectOf<Operand>, "status">): "preInstall" | "preUpgrade" {
  return status?.latestReadyActiveOperand === undefined ? "preInstall" : "preUpgrade";
}

/**
 * Returns what is applied before all other objects of a list: the Jobs of the hook, the objects that they need by kind
 * (CRDs, namespaces, roles, bindings, ConfigMaps, Secrets) of their waves or earlier ones, and the objects that they
 * depend on.
 */
export function itemsUpToHook(items: readonly ManifestItem[], hook: HookName): readonly ManifestItem[] {
  const hooks = hooksOf(items, hook);
  const wave = Math.max(...hooks.map((item) => item.wave));
  const byId = new Map(items.map((item) => [liveRefId(item.ref), item]));
  const needed = new Set<ManifestItem>();
  const add = (item: ManifestItem): void => {
    if (needed.has(item)) return;
    needed.add(item);
    for (const ref of item.dependsOn) {
      const other = byId.get(liveRefId(ref));
      if (other !== undefined) add(other);
    }
  };
  hooks.forEach(add);
  // A prerequisite that depends on a workload would start the workload before the hook.
  const isNeeded = (item: ManifestItem | undefined): boolean =>
    item !== undefined &&
    item.wave <= wave &&
    isPrerequisite(installOrderOf(item.ref)) &&
    item.dependsOn.every((ref) => isNeeded(byId.get(liveRefId(ref))));
  return items.filter((item) => needed.has(item) || isNeeded(item));
}
