import { availableOf, isCurrent, isResourceReady, adapterConditionOf, resourceState } from "@levelset/fleet/client";
import type { KindDescription, WireResource } from "@levelset/fleet/client";
import { describeDuration, escapeControlChars, formatTable, STATE_STYLES } from "../terminal/index.ts";
import type { Shell, StyledText } from "../terminal/index.ts";
import type { ParentNames } from "./parent-names.ts";

/** Formats resources as table lines with headers. `widths` keeps column widths between calls. */
export function tableLines(
  kind: KindDescription,
  resources: readonly WireResource[],
  parents: ParentNames,
  { terminal, clock }: Pick<Shell, "terminal" | "clock">,
  widths?: number[],
): readonly string[] {
  const options = { kind, now: clock.now(), parentName: (resource: WireResource) => parents.of(resource) };
  const rows = [titles(kind), ...resources.map((resource) => row(resource, options))];
  return formatTable(rows, { colors: terminal?.colors ?? false, columns: terminal?.columns }, widths);
}

/** Formats the number of resources and how many of them are Ready. */
export function countText({ plural, requiredAdapters }: KindDescription, resources: readonly WireResource[]): string {
  const all = `${resources.length} ${plural}`;
  return requiredAdapters.length === 0
    ? all
    : `${all}, ${resources.filter((resource) => isResourceReady(resource)).length} Ready`;
}

/** Options of a table row. */
interface RowOptions {
  readonly kind: KindDescription;
  readonly now: number;
  /** The name of a resource's parent. */
  readonly parentName: (resource: WireResource) => string;
}

/** Returns the column headers. */
function titles({ parentKind, requiredAdapters }: KindDescription): readonly StyledText[] {
  const parent = parentKind === undefined ? [] : [parentKind];
  const conditions = requiredAdapters.length === 0 ? [] : ["STATE", "AVAILABLE", ...requiredAdapters];
  const names = ["NAME", ...parent, "GENERATION", ...conditions];
  return names.map((name) => ({ text: name.toUpperCase(), style: "faint" }));
}

/** Formats a resource as a row: its state, Available, then the result of each required adapter. */
function row(resource: WireResource, { kind, now, parentName }: RowOptions): readonly StyledText[] {
  const { name, generation } = resource;
  return [
    { text: name, style: "strong" },
    ...(kind.parentKind === undefined ? [] : [plain(parentName(resource))]),
    plain(String(generation)),
    ...(kind.requiredAdapters.length === 0 ? [] : [stateCell(resource, kind, now), availableCell(resource)]),
    ...kind.requiredAdapters.map((adapter) => adapterCell(resource, adapter, now)),
    ...(kind.requiredAdapters.length === 0 && resource.deleted_time !== undefined ? [deletingCell(resource, now)] : []),
  ];
}

function plain(text: string): StyledText {
  return { text, style: "plain" };
}

/** `Ready`, or the state and the number of adapters that have succeeded: `Progressing (1 of 2)`. */
function stateCell(resource: WireResource, { requiredAdapters }: KindDescription, now: number): StyledText {
  const state = resourceState(resource, requiredAdapters);
  if (state === "Deleting") return deletingCell(resource, now);
  const style = STATE_STYLES[state];
  if (state === "Ready") return { text: state, style };
  const done = requiredAdapters.filter((adapter) => {
    const result = adapterConditionOf(resource, adapter);
    return result?.status === "True" && isCurrent(resource, result);
  });
  return { text: `${state} (${done.length} of ${requiredAdapters.length})`, style };
}

function deletingCell({ deleted_time: time = "" }: WireResource, now: number): StyledText {
  return { text: `Deleting for ${describeDuration(now - Date.parse(time))}`, style: "busy" };
}

function availableCell(resource: WireResource): StyledText {
  const available = availableOf(resource);
  if (available === undefined) return plain("-");
  if (available.status === "True") return { text: `True @${available.observed_generation}`, style: "good" };
  return { text: "False", style: "bad" };
}

/** `✓ 3`: succeeded at generation 3; `✗ 3 reason`: failed; `… 2 → 3 for 12 s`: no result for 3 yet. */
function adapterCell(resource: WireResource, adapter: string, now: number): StyledText {
  const { generation, updated_time: since } = resource;
  const verdict = adapterConditionOf(resource, adapter);
  if (verdict === undefined || !isCurrent(resource, verdict)) {
    const from = verdict === undefined ? "" : `${verdict.observed_generation} `;
    return { text: `… ${from}→ ${generation} for ${describeDuration(now - Date.parse(since))}`, style: "busy" };
  }
  if (verdict.status === "True") return { text: `✓ ${generation}`, style: "good" };
  return { text: escapeControlChars(`✗ ${generation} ${verdict.reason ?? ""}`), style: "bad" };
}
