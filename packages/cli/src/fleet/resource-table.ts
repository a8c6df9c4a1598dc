import { availableOf, isCurrent, isResourceReady, readyOf, verdictOf } from "@levelset/fleet/client";
import type { KindDescription, WireResource } from "@levelset/fleet/client";
import { describeDuration } from "../duration.ts";
import type { Shell } from "../shell.ts";
import { table } from "../table.ts";
import type { ParentNames } from "./parent-names.ts";
import { printable } from "../paint.ts";
import type { Span } from "../paint.ts";

/** Resources as the lines of a table, with its titles. `widths` keeps columns as wide as they were before. */
export function tableLines(
  kind: KindDescription,
  resources: readonly WireResource[],
  parents: ParentNames,
  { terminal, clock }: Pick<Shell, "terminal" | "clock">,
  widths?: number[],
): readonly string[] {
  const options = { kind, now: clock.now(), parentName: (resource: WireResource) => parents.of(resource) };
  const rows = [titles(kind), ...resources.map((resource) => row(resource, options))];
  return table(rows, { colors: terminal?.colors ?? false, columns: terminal?.columns }, widths);
}

/** How many there are, and how many of them have reached their latest declaration. */
export function countText({ plural, requiredAdapters }: KindDescription, resources: readonly WireResource[]): string {
  const all = `${resources.length} ${plural}`;
  return requiredAdapters.length === 0 ? all : `${all}, ${resources.filter(isSettled).length} ready`;
}

/** Whether a resource has reached its latest declaration, and is to stay. */
export function isSettled(resource: WireResource): boolean {
  return isResourceReady(resource);
}

/** What rows are made with. */
interface RowOptions {
  readonly kind: KindDescription;
  readonly now: number;
  /** The name of a resource's parent. */
  readonly parentName: (resource: WireResource) => string;
}

/** The titles of the columns. */
function titles({ parentKind, requiredAdapters }: KindDescription): readonly Span[] {
  const parent = parentKind === undefined ? [] : [parentKind];
  const conditions = requiredAdapters.length === 0 ? [] : ["READY", "AVAILABLE", ...requiredAdapters];
  const names = ["NAME", ...parent, "GENERATION", ...conditions];
  return names.map((name) => ({ text: name.toUpperCase(), style: "faint" }));
}

/** A resource in one row: whether its latest declaration has been reached, and what each required adapter has to do with it. */
function row(resource: WireResource, { kind, now, parentName }: RowOptions): readonly Span[] {
  const { name, generation } = resource;
  return [
    { text: name, style: "strong" },
    ...(kind.parentKind === undefined ? [] : [plain(parentName(resource))]),
    plain(String(generation)),
    ...(kind.requiredAdapters.length === 0 ? [] : [readyCell(resource, kind, now), availableCell(resource)]),
    ...kind.requiredAdapters.map((adapter) => adapterCell(resource, adapter, now)),
    ...(kind.requiredAdapters.length === 0 && resource.deleted_time !== undefined ? [deletingCell(resource, now)] : []),
  ];
}

function plain(text: string): Span {
  return { text, style: "plain" };
}

function readyCell(resource: WireResource, { requiredAdapters }: KindDescription, now: number): Span {
  if (resource.deleted_time !== undefined) return deletingCell(resource, now);
  const ready = readyOf(resource);
  if (ready === undefined) return plain("-");
  if (isResourceReady(resource)) return { text: "True", style: "good" };
  const done = requiredAdapters.filter((adapter) => {
    const verdict = verdictOf(resource, adapter);
    return verdict?.status === "True" && isCurrent(resource, verdict);
  });
  return { text: `False (${done.length} of ${requiredAdapters.length})`, style: "bad" };
}

function deletingCell({ deleted_time: time = "" }: WireResource, now: number): Span {
  return { text: `deleting for ${describeDuration(now - Date.parse(time))}`, style: "busy" };
}

function availableCell(resource: WireResource): Span {
  const available = availableOf(resource);
  if (available === undefined) return plain("-");
  if (available.status === "True") return { text: `True @${available.observed_generation}`, style: "good" };
  return { text: "False", style: "bad" };
}

/** `✓ 3`: reached; `✗ 3 reason`: failed; `… 2 → 3 for 12 s`: not there yet, for so long. */
function adapterCell(resource: WireResource, adapter: string, now: number): Span {
  const { generation, updated_time: since } = resource;
  const verdict = verdictOf(resource, adapter);
  if (verdict === undefined || !isCurrent(resource, verdict)) {
    const from = verdict === undefined ? "" : `${verdict.observed_generation} `;
    return { text: `… ${from}→ ${generation} for ${describeDuration(now - Date.parse(since))}`, style: "busy" };
  }
  if (verdict.status === "True") return { text: `✓ ${generation}`, style: "good" };
  return { text: printable(`✗ ${generation} ${verdict.reason ?? ""}`), style: "bad" };
}
