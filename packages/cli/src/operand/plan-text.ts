import { redactedPair } from "@levelset/operator";
import type { ItemAction, OperandPlan, PlannedItem, PlannedPrune, PruneAction } from "@levelset/operator";
import { paint, printable } from "../paint.ts";
import type { Span, Style } from "../paint.ts";
import { changeNote } from "./change-note.ts";
import { objectDiff } from "./object-diff.ts";
import { placeOf, refText } from "./ref-text.ts";
import { table } from "../table.ts";

/** A plan that can be carried out, or the part of it that can. */
export type GoodPlan = Extract<OperandPlan, { readonly kind: "plan" }>;

/** How a plan is printed. */
export interface PlanTextOptions {
  readonly colors: boolean;
  /** Whether to show what changes in each object. */
  readonly diffs: boolean;
  /** Takes secrets out of what servers say. */
  readonly scrub: (text: string) => string;
}

interface Look {
  readonly sign: string;
  readonly style: Style;
}

const LOOKS: Readonly<Record<ItemAction | PruneAction, Look>> = {
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

const STAYS: Readonly<Record<string, string>> = {
  NotOurs: "stays: it was there before",
  NeverPruned: "stays: namespaces and CRDs are never pruned",
  Shared: "stays: somebody else wants it too",
  Orphaned: "stays: the Operand is deleted without its objects",
  PruneDisabled: "stays: pruning is disabled",
};

/** What would be done, a line for each object that something is done about, then what changes in it, then the sums. */
export function planText(plan: GoodPlan, options: PlanTextOptions): string {
  const { colors, diffs, scrub } = options;
  const items = plan.items.filter(({ action }) => action !== "none");
  const note = (text: string): Span => ({ text: printable(scrub(text)), style: "plain" });
  const rows = [
    ...items.map((item) => [...subject(item), note(itemNote(item))]),
    ...plan.prunes.map((prune) => [...subject(prune), note(pruneNote(prune))]),
  ];
  const lines = table(rows, { colors });
  const shown = diffs ? items.flatMap((item) => diffLines(item, colors)) : [];
  const suspended = plan.isSuspended ? ["suspended: nothing of this happens before levelset operand resume"] : [];
  const unlisted = plan.unlisted.map((why) => `incomplete: ${printable(why)}; leftovers of that kind may be missing`);
  return [...lines, ...shown, ...(lines.length === 0 ? [] : [""]), ...unlisted, ...suspended, sums(plan)]
    .map((line) => `${line}\n`)
    .join("");
}

function subject({ action, ref }: PlannedItem | PlannedPrune): readonly Span[] {
  const { sign, style } = LOOKS[action];
  return [
    { text: `  ${sign} ${printable(ref.kind)}`, style },
    { text: placeOf(ref), style },
  ];
}

function itemNote({ action, before, after, reason, message = "", isAdopted, isGuess }: PlannedItem): string {
  if (action === "refuse") return `${reason}: ${message}`;
  if (action === "hold") return message;
  if (action === "drift") return "differs; drift is only reported";
  const [was, willBe] = redactedPair(before, after);
  const changed = action === "change" && was !== undefined && willBe !== undefined ? changeNote(was, willBe) : "";
  const taken = isAdopted ? "was there before, and is taken over" : "";
  const guessed = isGuess ? (action === "recreate" ? message : `(not checked: ${message})`) : "";
  return [changed, taken, guessed].filter((text) => text !== "").join("; ");
}

function pruneNote({ action, reason = "", message = "", due, isFirst }: PlannedPrune): string {
  switch (action) {
    case "delete":
      return isFirst
        ? "pruned at once: the version that has it is superseded"
        : "pruned after the new version is ready";
    case "mark":
      return due === undefined ? "pruned when that is confirmed" : `pruned at ${due}`;
    case "stay":
      return STAYS[reason] ?? `stays: ${reason}`;
    case "wait":
      if (reason === "Confirm") return "waits for levelset operand confirm";
      return due === undefined ? "is being deleted" : `pruned at ${due}`;
    case "hold":
      return `stays for now: ${message}`;
    case "refuse":
      return `cannot be deleted: ${reason}: ${message}`;
  }
}

function diffLines(item: PlannedItem, colors: boolean): readonly string[] {
  const [before, after] = redactedPair(item.before, item.after);
  if (after === undefined) return [];
  const lines = objectDiff(item.action === "create" ? undefined : before, after);
  if (lines.length === 0) return [];
  const name = refText(item.ref);
  const head: readonly Span[] = [
    { text: `--- ${item.action === "create" ? "/dev/null" : `${name} (now)`}`, style: "strong" },
    { text: `+++ ${name} (planned)`, style: "strong" },
  ];
  return ["", ...[...head, ...lines].map((span) => paint({ ...span, text: visible(span.text) }, colors))];
}

/** What objects say must not do anything to a terminal, but its indentation counts. */
function visible(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ");
}

/** Whether anything would be written that people can see. */
export function isChanging(plan: GoodPlan): boolean {
  const acts: readonly string[] = ["create", "change", "recreate", "delete", "mark"];
  return [...plan.items, ...plan.prunes].some(({ action }) => acts.includes(action));
}

/** Whether something cannot be done. */
export function isRefused(plan: GoodPlan): boolean {
  return [...plan.items, ...plan.prunes].some(({ action }) => action === "refuse");
}

function sums({ items, prunes }: GoodPlan): string {
  const count = (...actions: readonly string[]): number =>
    [...items, ...prunes].filter(({ action }) => actions.includes(action)).length;
  const parts = [
    [count("create"), "to create"],
    [count("change"), "to change"],
    [count("recreate"), "to make anew"],
    [count("delete"), "to prune"],
    [count("mark"), "to prune later"],
    [count("refuse"), "refused"],
    [count("hold"), "held back"],
    [count("drift"), "drifted"],
  ] as const;
  const told = parts.filter(([number]) => number > 0).map(([number, words]) => `${number} ${words}`);
  const same = count("none");
  if (told.length === 0)
    return same === 0 ? "nothing to do: the set is empty" : `nothing to do: ${same} as they should be`;
  return [...told, ...(same === 0 ? [] : [`${same} unchanged`])].join(", ");
}

/** A plan for programs, with Secrets masked. */
export function planJson(plan: GoodPlan, scrub: (text: string) => string): unknown {
  const told = <One extends PlannedItem | PlannedPrune>(one: One): One => ({
    ...one,
    ...(one.message === undefined ? {} : { message: scrub(one.message) }),
  });
  return {
    isSuspended: plan.isSuspended,
    isChanging: isChanging(plan),
    unlisted: plan.unlisted,
    items: plan.items.map((item) => {
      const [before, after] = redactedPair(item.before, item.after);
      return { ...told(item), before, after };
    }),
    prunes: plan.prunes.map((prune) => ({ ...told(prune), before: redactedPair(prune.before, undefined)[0] })),
  };
}
