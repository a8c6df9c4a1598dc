import type { ChangeNote, ConditionNode, ConditionState, EventNote, ObjectNode } from "@levelset/operator";
import { describeDuration } from "./duration.ts";
import { printable, paint, wrap } from "./paint.ts";
import type { Span, Style } from "./paint.ts";

/** How an explanation is printed. */
export interface ExplainTextOptions {
  /** Milliseconds since the epoch: what ages are counted to. */
  readonly now: number;
  /** The width of the terminal; lines are not broken where there is none. */
  readonly columns?: number | undefined;
  readonly colors: boolean;
}

/** One line: its place in the tree, what it is about, and what is said of it. */
interface Row {
  readonly tree: string;
  readonly left: readonly Span[];
  readonly right: Span;
}

/** A line with those below it. */
interface Branch {
  readonly left: readonly Span[];
  readonly right: Span;
  readonly below: readonly Branch[];
  /** A remark: drawn without a branch. */
  readonly isNote?: true;
}

/** Where the right column begins at most, and the width that it keeps at least. */
const LEFT_MAX = 48;
const RIGHT_MIN = 30;

/** An explanation as a tree for people: on the left what it is about, on the right what is said of it. */
export function explainText(node: ObjectNode, options: ExplainTextOptions): string {
  const branch = new Branches(node, options.now).root();
  const rows = [{ tree: "", left: branch.left, right: branch.right }, ...rowsBelow(branch, "")];
  const widths = rows.map(widthOf).filter((width) => width <= LEFT_MAX);
  const column = Math.max(...widths, 0) + 3;
  return rows.map((row) => `${printRow(row, column, options)}\n`).join("");
}

function rowsBelow(branch: Branch, indent: string): readonly Row[] {
  const lastBranch = branch.below.findLastIndex((each) => each.isNote !== true);
  return branch.below.flatMap((each, index) => {
    const [own, deeper] = treeLines(each, index, lastBranch);
    return [{ tree: indent + own, left: each.left, right: each.right }, ...rowsBelow(each, indent + deeper)];
  });
}

function treeLines(branch: Branch, index: number, lastBranch: number): readonly [string, string] {
  const goesOn = index < lastBranch;
  if (branch.isNote === true) return goesOn ? ["│  ", "│  "] : ["   ", "   "];
  return goesOn ? ["├─ ", "│  "] : ["└─ ", "   "];
}

function widthOf({ tree, left, right }: Row): number {
  // A line without a right side does not need the column.
  return right.text === "" ? 0 : tree.length + left.reduce((sum, { text }) => sum + text.length, 0);
}

function printRow(row: Row, column: number, { columns, colors }: ExplainTextOptions): string {
  const { tree, left, right } = row;
  const start = tree + left.map((span) => paint(span, colors)).join("");
  if (right.text === "") return start;
  const width = widthOf(row);
  const at = left.length === 0 ? width : Math.max(column, width + 2);
  const room = columns === undefined ? Number.POSITIVE_INFINITY : Math.max(RIGHT_MIN, columns - at);
  const [first = "", ...more] = wrap(right.text, room);
  const under = more.map((text) => `\n${" ".repeat(at)}${paint({ ...right, text }, colors)}`);
  return `${start}${" ".repeat(at - width)}${paint({ ...right, text: first }, colors)}${under.join("")}`;
}

const CONDITION: Readonly<
  Record<ConditionState, { readonly mark: string; readonly word: string; readonly style: Style }>
> = {
  done: { mark: "✓", word: "", style: "good" },
  waiting: { mark: "✗", word: "waiting", style: "busy" },
  failing: { mark: "✗", word: "failing", style: "bad" },
  failed: { mark: "✗", word: "failed", style: "bad" },
  pending: { mark: "…", word: "", style: "faint" },
  unknown: { mark: "?", word: "unknown", style: "busy" },
};

class Branches {
  readonly #root: ObjectNode;
  readonly #now: number;

  constructor(root: ObjectNode, now: number) {
    this.#root = root;
    this.#now = now;
  }

  root(): Branch {
    const node = this.#root;
    const branch = this.#object(node, []);
    const isSaid = node.state === "deleting" || node.conditions.some(({ message }) => message === node.message);
    const message = isSaid || node.state === "ready" ? "" : `: ${printable(node.message)}`;
    const text = [`${this.#state(node)}${message}`, ...generationWords(node)].join("   ");
    return { ...branch, right: { text, style: node.state === "ready" ? "good" : "bad" } };
  }

  /** `said`: what stands above it already. */
  #object(node: ObjectNode, said: readonly string[]): Branch {
    const shown = node.conditions.filter(({ state }) => state !== "done" && state !== "pending");
    const below = [
      ...shown.map((condition) => this.#condition(condition)),
      ...this.#objects(node.causes, [...said, node.message]),
      ...(node.left === 0 ? [] : [note(`and ${node.left} more`)]),
      ...node.details.map((line) => note(printable(line))),
      ...node.events.map((event) => note(this.#event(event))),
      ...this.#summary(node),
    ];
    return { left: [{ text: this.#name(node), style: "strong" }], right: this.#words(node, said), below };
  }

  /** Objects side by side. Those that say the same as one before them, and nothing else, are only counted. */
  #objects(nodes: readonly ObjectNode[], said: readonly string[]): readonly Branch[] {
    const groups = Map.groupBy(nodes, sameness);
    return [...groups.values()].flatMap(([first, ...alike]) => {
      if (first === undefined) return [];
      const branch = this.#object(first, said);
      return alike.length === 0
        ? [branch]
        : [{ ...branch, below: [...branch.below, note(`and ${alike.length} like it`)] }];
    });
  }

  #condition({ type, state, since, message, reason, causes }: ConditionNode): Branch {
    const { mark, word, style } = CONDITION[state];
    const age = since === undefined ? "" : ` ${this.#age(since)}`;
    return {
      left: [
        { text: `${printable(type)} `, style: "plain" },
        { text: `${mark} ${word}`, style },
        { text: age, style: "faint" },
      ],
      right: { text: printable(message === "" ? reason : message), style: "plain" },
      below: this.#objects(causes, [message]),
    };
  }

  /** The conditions that need no words, and who changed the spec last. */
  #summary({ conditions, change }: ObjectNode): readonly Branch[] {
    const quiet = conditions.filter(({ state }) => state === "done" || state === "pending");
    const left = quiet.flatMap((condition, index): readonly Span[] => [
      { text: `${index === 0 ? "" : "   "}${quietWord(condition)} `, style: "plain" },
      { text: CONDITION[condition.state].mark, style: CONDITION[condition.state].style },
    ]);
    const right = change === undefined ? "" : this.#change(change);
    return left.length === 0 && right === ""
      ? []
      : [{ left, right: { text: right, style: "faint" }, below: [], isNote: true }];
  }

  #change({ manager, created, fields, left, at }: ChangeNote): string {
    const who = printable(manager === "" ? "somebody" : manager);
    if (created) return `last change: ${who} made it ${this.#age(at)} ago`;
    const more = left === 0 ? "" : ` and ${left} more`;
    return `last change: ${who} set ${printable(fields.join(", "))}${more} ${this.#age(at)} ago`;
  }

  #event({ reason, message, count, last }: EventNote): string {
    const often = count > 1 ? ` ×${count}` : "";
    const age = last === undefined ? "" : `, ${this.#age(last)} ago`;
    return `event ${printable(reason)}${often}${age}: ${printable(message)}`;
  }

  #name({ kind, namespace, name }: ObjectNode): string {
    const where = namespace === undefined || namespace === this.#root.namespace ? "" : `${namespace}/`;
    return printable(`${kind} ${where}${name}`);
  }

  #state({ state, deletedAt }: ObjectNode): string {
    if (state === "ready") return "ready";
    return deletedAt === undefined ? "not ready" : `being deleted for ${this.#age(deletedAt)}`;
  }

  /** What an object says of itself; where that was said above, whether it is ready and which spec it speaks of. */
  #words(node: ObjectNode, said: readonly string[]): Span {
    // What holds it is said below.
    if (node.state === "deleting") return { text: this.#state(node), style: "plain" };
    const isSaid = said.some((words) => words.includes(node.message));
    if (!isSaid || node.state === "missing") {
      return { text: printable(node.message), style: node.state === "ready" ? "good" : "plain" };
    }
    return { text: [this.#state(node), ...generationWords(node)].join("   "), style: "faint" };
  }

  #age(time: string): string {
    return describeDuration(this.#now - Date.parse(time));
  }
}

/** What two objects must share to be told as one. */
function sameness({ name, ...node }: ObjectNode): string {
  const { kind, message, conditions, details, causes } = node;
  return JSON.stringify([kind, message, conditions, details, causes, causes.length === 0 ? "" : name]);
}

/** A condition that is as it should be. One that is because it is not so, such as Stalled, says that; what is deleted is never so in the end. */
function quietWord({ type, status, state, reason }: ConditionNode): string {
  const isAdverse = state === "done" && status === "False" && reason !== "Deleted";
  return `${isAdverse ? "not " : ""}${printable(type)}`;
}

function note(text: string): Branch {
  return { left: [], right: { text, style: "faint" }, below: [], isNote: true };
}

/** Which spec the status speaks of, unless the message says that it is not the latest. */
function generationWords({ generation }: ObjectNode): readonly string[] {
  if (generation?.state !== "current") return [];
  return [`generation ${generation.latest}, observed ${generation.latest}`];
}
