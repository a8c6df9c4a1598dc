import { describeDuration, escapeControlChars, SUSPENDED, wrap } from "@levelset/core/internal";
import type { StyledText, TextStyle } from "@levelset/core/internal";
import { CLEANED_UP } from "../engine/index.ts";
import type { ConditionNode, ConditionState, EventSummary, LastChange, ObjectNode } from "./tree.ts";

/** Options of {@link explainLines}. */
export interface ExplainLinesOptions {
  /** Current time in milliseconds since the epoch, for ages. */
  readonly now: number;
  /** Width of the output; without it lines are not wrapped. */
  readonly columns?: number | undefined;
  /** Objects of this namespace are named without it; "": all are named with it. Default: that of the root. */
  readonly namespace?: string;
}

/** A line of an explanation: texts beside each other. */
export type ExplainLine = readonly StyledText[];

/** One line: tree prefix, subject and explanation. */
interface Row {
  readonly tree: string;
  readonly left: readonly StyledText[];
  readonly right: StyledText;
}

/** A line with its children. */
interface Branch {
  readonly left: readonly StyledText[];
  readonly right: StyledText;
  readonly children: readonly Branch[];
  /** Printed without a branch symbol. */
  readonly isNote?: true;
}

/** Maximum start and minimum width of the right column. */
const LEFT_MAX = 48;
const RIGHT_MIN = 30;

/** Formats an explanation as the lines of a tree: subjects on the left, explanations on the right. */
export function explainLines(node: ObjectNode, options: ExplainLinesOptions): readonly ExplainLine[] {
  const branch = new Branches(node, options).root();
  const rows = [{ tree: "", left: branch.left, right: branch.right }, ...rowsBelow(branch, "")];
  const widths = rows.map(widthOf).filter((width) => width <= LEFT_MAX);
  const column = Math.max(...widths, 0) + 3;
  return rows.flatMap((row) => rowLines(row, column, options.columns));
}

function rowsBelow(branch: Branch, indent: string): readonly Row[] {
  const lastBranch = branch.children.findLastIndex((each) => each.isNote !== true);
  return branch.children.flatMap((each, index) => {
    const [own, deeper] = treeLines(each, index, lastBranch);
    return [{ tree: indent + own, left: each.left, right: each.right }, ...rowsBelow(each, indent + deeper)];
  });
}

function treeLines(branch: Branch, index: number, lastBranch: number): readonly [string, string] {
  const continues = index < lastBranch;
  if (branch.isNote === true) return continues ? ["│  ", "│  "] : ["   ", "   "];
  return continues ? ["├─ ", "│  "] : ["└─ ", "   "];
}

function widthOf({ tree, left, right }: Row): number {
  // Lines without an explanation do not widen the left column.
  return right.text === "" ? 0 : tree.length + left.reduce((sum, { text }) => sum + text.length, 0);
}

function rowLines(row: Row, column: number, columns: number | undefined): readonly ExplainLine[] {
  const { tree, left, right } = row;
  const start = [plain(tree), ...left];
  if (right.text === "") return [start];
  const width = widthOf(row);
  const at = left.length === 0 ? width : Math.max(column, width + 2);
  const room = columns === undefined ? Number.POSITIVE_INFINITY : Math.max(RIGHT_MIN, columns - at);
  const [first = "", ...more] = wrap(right.text, room);
  return [
    [...start, plain(" ".repeat(at - width)), { ...right, text: first }],
    ...more.map((text) => [plain(" ".repeat(at)), { ...right, text }]),
  ];
}

function plain(text: string): StyledText {
  return { text, style: "plain" };
}

const CONDITION: Readonly<
  Record<ConditionState, { readonly mark: string; readonly label: string; readonly style: TextStyle }>
> = {
  done: { mark: "✓", label: "", style: "good" },
  waiting: { mark: "✗", label: "Progressing", style: "busy" },
  failing: { mark: "✗", label: "Degraded", style: "bad" },
  failed: { mark: "✗", label: "Failed", style: "bad" },
  pending: { mark: "…", label: "", style: "faint" },
  unknown: { mark: "?", label: "Unknown", style: "busy" },
};

class Branches {
  readonly #root: ObjectNode;
  readonly #now: number;
  readonly #namespace: string | undefined;

  constructor(root: ObjectNode, { now, namespace = root.namespace }: ExplainLinesOptions) {
    this.#root = root;
    this.#now = now;
    this.#namespace = namespace;
  }

  root(): Branch {
    const node = this.#root;
    const branch = this.#object(node, []);
    const isPrinted = node.state === "deleting" || node.conditions.some(({ message }) => message === node.message);
    const message =
      isPrinted || node.state === "ready" || node.message === "" ? "" : `: ${escapeControlChars(node.message)}`;
    const text = [`${this.#state(node)}${message}`, ...generationTexts(node)].join("   ");
    return { ...branch, right: { text, style: node.state === "ready" ? "good" : "bad" } };
  }

  /** `printed`: messages that are printed above. */
  #object(node: ObjectNode, printed: readonly string[]): Branch {
    const shown = node.conditions.filter(({ state }) => state !== "done" && state !== "pending");
    const children = [
      ...shown.map((condition) => this.#condition(condition)),
      ...this.#objects(node.causes, [...printed, node.message]),
      ...(node.left === 0 ? [] : [note(`and ${node.left} more`)]),
      ...node.details.map((line) => note(escapeControlChars(line))),
      ...node.events.map((event) => note(this.#event(event))),
      ...this.#summary(node),
    ];
    return { left: [{ text: this.#name(node), style: "strong" }], right: this.#text(node, printed), children };
  }

  /** Siblings. Objects with the same explanation as an earlier sibling are only counted. */
  #objects(nodes: readonly ObjectNode[], printed: readonly string[]): readonly Branch[] {
    const groups = Map.groupBy(nodes, explanationKey);
    return [...groups.values()].flatMap(([first, ...alike]) => {
      if (first === undefined) return [];
      const branch = this.#object(first, printed);
      return alike.length === 0
        ? [branch]
        : [{ ...branch, children: [...branch.children, note(`and ${alike.length} like it`)] }];
    });
  }

  #condition({ type, state, since, message, reason, causes }: ConditionNode): Branch {
    const { mark, label, style } = CONDITION[state];
    const shown = reason === SUSPENDED ? "Paused" : label;
    const age = since === undefined ? "" : ` ${this.#age(since)}`;
    return {
      left: [
        { text: `${escapeControlChars(type)} `, style: "plain" },
        { text: `${mark} ${shown}`, style },
        { text: age, style: "faint" },
      ],
      right: { text: escapeControlChars(message === "" ? reason : message), style: "plain" },
      children: this.#objects(causes, [message]),
    };
  }

  /** Conditions without an explanation, and the last change of the spec. */
  #summary({ conditions, change }: ObjectNode): readonly Branch[] {
    const quiet = conditions.filter(({ state }) => state === "done" || state === "pending");
    const left = quiet.flatMap((condition, index): readonly StyledText[] => [
      { text: `${index === 0 ? "" : "   "}${conditionLabel(condition)} `, style: "plain" },
      { text: CONDITION[condition.state].mark, style: CONDITION[condition.state].style },
    ]);
    const right = change === undefined ? "" : this.#change(change);
    return left.length === 0 && right === ""
      ? []
      : [{ left, right: { text: right, style: "faint" }, children: [], isNote: true }];
  }

  #change({ manager, created, fields, left, at }: LastChange): string {
    const author = escapeControlChars(manager === "" ? "unknown" : manager);
    if (created) return `last change: ${author} created it ${this.#age(at)} ago`;
    const more = left === 0 ? "" : ` and ${left} more`;
    return `last change: ${author} set ${escapeControlChars(fields.join(", "))}${more} ${this.#age(at)} ago`;
  }

  #event({ reason, message, count, last }: EventSummary): string {
    const often = count > 1 ? ` ×${count}` : "";
    const age = last === undefined ? "" : `, ${this.#age(last)} ago`;
    return `event ${escapeControlChars(reason)}${often}${age}: ${escapeControlChars(message)}`;
  }

  #name({ kind, namespace, name }: ObjectNode): string {
    const where = namespace === undefined || namespace === this.#namespace ? "" : `${namespace}/`;
    return escapeControlChars(`${kind} ${where}${name}`);
  }

  #state({ deletedAt, objectState }: ObjectNode): string {
    return deletedAt === undefined ? objectState : `Deleting for ${this.#age(deletedAt)}`;
  }

  /** Message of an object; if it is empty or was printed above, the state and generation instead. */
  #text(node: ObjectNode, printed: readonly string[]): StyledText {
    // The blocking finalizers are printed below.
    if (node.state === "deleting") return { text: this.#state(node), style: "plain" };
    const isPrinted = node.message === "" || printed.some((text) => text.includes(node.message));
    if (!isPrinted || node.state === "missing") {
      return { text: escapeControlChars(node.message), style: node.state === "ready" ? "good" : "plain" };
    }
    return { text: [this.#state(node), ...generationTexts(node)].join("   "), style: "faint" };
  }

  #age(time: string): string {
    return describeDuration(this.#now - Date.parse(time));
  }
}

/** Returns a key that is equal for objects with the same explanation. */
function explanationKey({ name, ...node }: ObjectNode): string {
  const { kind, message, conditions, details, causes } = node;
  return JSON.stringify([kind, message, conditions, details, causes, causes.length === 0 ? "" : name]);
}

/** Label of a condition in its desired state: `Installed`, or `not Stalled` if False is desired. */
function conditionLabel({ type, status, state, reason }: ConditionNode): string {
  const isAdverse = state === "done" && status === "False" && reason !== CLEANED_UP;
  return `${isAdverse ? "not " : ""}${escapeControlChars(type)}`;
}

function note(text: string): Branch {
  return { left: [], right: { text, style: "faint" }, children: [], isNote: true };
}

/** Formats the observed generation if it is current. */
function generationTexts({ generation }: ObjectNode): readonly string[] {
  if (generation?.state !== "current") return [];
  return [`generation ${generation.latest}, observed ${generation.latest}`];
}
