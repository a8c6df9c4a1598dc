import { redactSecretsInPair } from "@levelset/core/internal";
import { PENDING_CONFIRMATION } from "@levelset/operator/internal";
import type { ItemAction, KeepReason, PlannedItem, PlannedPrune, PruneAction } from "@levelset/operator/internal";
import type { OperandPlan } from "@levelset/operator";
import { escapeControlChars, formatTable } from "../terminal/index.ts";
import type { StyledText, TextStyle } from "../terminal/index.ts";
import { summarizeChange } from "./summarize-change.ts";
import { objectDiffText } from "./object-diff-text.ts";
import { namespacedName } from "./ref-text.ts";

/** A plan of a valid Operand. */
export type ValidPlan = Extract<OperandPlan, { readonly kind: "plan" }>;

/** Options of {@link planText}. */
export interface PlanTextOptions {
  readonly colors: boolean;
  /** Whether to print a diff for each object. */
  readonly diffs: boolean;
  /** Redacts secrets in server messages. */
  readonly scrub: (text: string) => string;
}

interface ActionStyle {
  readonly sign: string;
  readonly style: TextStyle;
}

const ACTION_STYLES: Readonly<Record<ItemAction | PruneAction, ActionStyle>> = {
  create: { sign: "+", style: "good" },
  change: { sign: "~", style: "busy" },
  recreate: { sign: "±", style: "busy" },
  none: { sign: " ", style: "plain" },
  drift: { sign: "≠", style: "busy" },
  hold: { sign: "…", style: "faint" },
  refuse: { sign: "✗", style: "bad" },
  delete: { sign: "-", style: "bad" },
  mark: { sign: "-", style: "busy" },
  stay: { sign: "=", style: "faint" },
  wait: { sign: "…", style: "faint" },
};

const RETAINED_TEXTS: Readonly<Partial<Record<NonNullable<PlannedPrune["reason"]>, string>>> = {
  NotOurs: "retained: existed before the Operand",
  NeverPruned: "retained: namespaces and CRDs are never pruned",
  Shared: "retained: has another owner",
  Orphaned: "retained: deletion policy Orphan",
  PruneDisabled: "retained: pruning is disabled",
} satisfies Record<KeepReason, string>;

/** Formats a plan: one line per affected object, its diff, then the totals. */
export function planText(plan: ValidPlan, options: PlanTextOptions): string {
  const { colors, diffs, scrub } = options;
  const items = plan.items.filter(({ action }) => action !== "none");
  const note = (text: string): StyledText => ({ text: escapeControlChars(scrub(text)), style: "plain" });
  const rows = [
    ...items.map((item) => [...subject(item), note(itemNote(item))]),
    ...plan.prunes.map((prune) => [...subject(prune), note(pruneNote(prune))]),
  ];
  const lines = formatTable(rows, { colors });
  const shown = diffs ? items.flatMap((item) => diffLines(item, colors)) : [];
  const suspended = plan.isSuspended ? ["Paused: run levelset operand resume to apply this plan"] : [];
  const unlisted = plan.unlisted.map(
    (why) => `incomplete: ${escapeControlChars(why)}; leftovers of that kind may be missing`,
  );
  return [...lines, ...shown, ...(lines.length === 0 ? [] : [""]), ...unlisted, ...suspended, totals(plan)]
    .map((line) => `${line}\n`)
    .join("");
}

function subject({ action, ref }: PlannedItem | PlannedPrune): readonly StyledText[] {
  const { sign, style } = ACTION_STYLES[action];
  return [
    { text: `  ${sign} ${escapeControlChars(ref.kind)}`, style },
    { text: namespacedName(ref), style },
  ];
}

function itemNote({ action, before, after, reason, message = "", isAdopted, isGuess }: PlannedItem): string {
  if (action === "refuse") return `${reason}: ${message}`;
  if (action === "hold") return message;
  if (action === "drift") return "drifted; drift is only reported";
  const [current, planned] = redactSecretsInPair(before, after);
  const changed =
    action === "change" && current !== undefined && planned !== undefined ? summarizeChange(current, planned) : "";
  const adopted = isAdopted ? "exists already; will be adopted" : "";
  const unchecked = isGuess ? (action === "recreate" ? message : `(not checked: ${message})`) : "";
  return [changed, adopted, unchecked].filter((text) => text !== "").join("; ");
}

function pruneNote({ action, reason, message = "", due, isFirst }: PlannedPrune): string {
  switch (action) {
    case "delete":
      return isFirst ? "pruned immediately: its version is superseded" : "pruned when the new version is Ready";
    case "mark":
      return due === undefined ? "pruned after levelset operand confirm" : `pruned at ${due}`;
    case "stay":
      return (reason && RETAINED_TEXTS[reason]) ?? `retained: ${reason ?? ""}`;
    case "wait":
      if (reason === PENDING_CONFIRMATION) return "waits for levelset operand confirm";
      return due === undefined ? "is being deleted" : `pruned at ${due}`;
    case "hold":
      return `retained for now: ${message}`;
    case "refuse":
      return `cannot be deleted: ${reason ?? ""}: ${message}`;
  }
}

function diffLines(item: PlannedItem, colors: boolean): readonly string[] {
  const [before, after] = redactSecretsInPair(item.before, item.after);
  if (after === undefined) return [];
  return objectDiffText(item.ref, { before: item.action === "create" ? undefined : before, after }, colors);
}

/** Reports whether the plan writes anything that users can see. */
export function hasChanges(plan: ValidPlan): boolean {
  const writes: readonly string[] = ["create", "change", "recreate", "delete", "mark"];
  return [...plan.items, ...plan.prunes].some(({ action }) => writes.includes(action));
}

/** Reports whether the plan contains refused writes. */
export function hasRefusals(plan: ValidPlan): boolean {
  return [...plan.items, ...plan.prunes].some(({ action }) => action === "refuse");
}

function totals({ items, prunes }: ValidPlan): string {
  const count = (...actions: readonly string[]): number =>
    [...items, ...prunes].filter(({ action }) => actions.includes(action)).length;
  const parts = [
    [count("create"), "to create"],
    [count("change"), "to change"],
    [count("recreate"), "to recreate"],
    [count("delete"), "to prune"],
    [count("mark"), "to prune later"],
    [count("refuse"), "refused"],
    [count("hold"), "blocked"],
    [count("drift"), "drifted"],
  ] as const;
  const counts = parts.filter(([number]) => number > 0).map(([number, text]) => `${number} ${text}`);
  const same = count("none");
  if (counts.length === 0)
    return same === 0 ? "no changes: the Operand has no objects" : `no changes: ${same} up to date`;
  return [...counts, ...(same === 0 ? [] : [`${same} unchanged`])].join(", ");
}

/** Converts a plan to JSON with Secrets masked. */
export function planJson(plan: ValidPlan, scrub: (text: string) => string): unknown {
  const scrubbed = <One extends PlannedItem | PlannedPrune>(one: One): One => ({
    ...one,
    ...(one.message === undefined ? {} : { message: scrub(one.message) }),
  });
  return {
    isSuspended: plan.isSuspended,
    isChanging: hasChanges(plan),
    unlisted: plan.unlisted,
    items: plan.items.map((item) => {
      const [before, after] = redactSecretsInPair(item.before, item.after);
      return { ...scrubbed(item), before, after };
    }),
    prunes: plan.prunes.map((prune) => ({
      ...scrubbed(prune),
      before: redactSecretsInPair(prune.before, undefined)[0],
    })),
  };
}
