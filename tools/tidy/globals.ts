import { importsOf } from "./import.ts";
import { tokensOf } from "./token.ts";
import type { Token } from "./token.ts";
import { isTest, placeInSource, sourcePaths } from "./tree.ts";
import type { Tree } from "./tree.ts";
import type { Violation } from "./violation.ts";

/** Something of the platform that code gets handed in instead of reaching for it. */
interface BannedGlobal {
  /** As written in code: `Date.now`, `setTimeout`, `new Date()`. `process.` also means `process[` and `= process`. */
  readonly name: string;
  /** Modules of Node that hold the same. */
  readonly modules: readonly string[];
  /** Where it may be used, tests included. */
  readonly homes: readonly string[];
  readonly inTests: "banned" | "allowed";
  readonly instead: string;
}

const TIME = ["packages/core/src/time/"];
const CLI = ["packages/cli/src/"];
const TIMERS = ["node:timers", "node:timers/promises"];

const BANNED: readonly BannedGlobal[] = [
  { name: "Date.now", modules: [], homes: TIME, inTests: "banned", instead: "take a Clock and call now()" },
  { name: "new Date()", modules: [], homes: TIME, inTests: "allowed", instead: "take a Clock: new Date(clock.now())" },
  {
    name: "performance.now",
    modules: ["node:perf_hooks"],
    homes: TIME,
    inTests: "allowed",
    instead: "take a Clock and call now()",
  },
  { name: "Math.random", modules: [], homes: TIME, inTests: "allowed", instead: "take a Random and call next()" },
  {
    name: "setTimeout",
    modules: TIMERS,
    homes: TIME,
    inTests: "banned",
    instead: "take a Clock and call after() or sleep(); in a test advance a VirtualClock",
  },
  {
    name: "setInterval",
    modules: [],
    homes: TIME,
    inTests: "banned",
    instead: "take a Clock and loop over sleep(); in a test advance a VirtualClock",
  },
  {
    name: "setImmediate",
    modules: [],
    // The durable store gathers the writes of one turn, and controllers let requests in between long work: no promise does that.
    // RabbitMQ's client announces a returned message in the turn after its confirm.
    homes: [
      "packages/core/src/testing/",
      "packages/apiserver/src/store/sqlite/",
      "packages/fleet/src/store/sqlite/",
      "packages/apiserver/src/controllers/turn.ts",
      "packages/fleet/src/broker/rabbitmq/rabbitmq-publisher.ts",
    ],
    inTests: "allowed",
    instead: "await what is waited for; in a test await atRest()",
  },
  {
    name: "AbortSignal.timeout",
    modules: [],
    homes: TIME,
    inTests: "allowed",
    instead: "take a Clock: clock.after(ms, () => controller.abort())",
  },
  {
    name: "AbortSignal.any",
    modules: [],
    homes: [],
    inTests: "allowed",
    instead: "listen yourself: a combined signal may be collected before it fires",
  },
  {
    name: "process.",
    modules: ["node:process"],
    homes: CLI,
    inTests: "allowed",
    instead: "only cli knows the process: take the value as an option",
  },
  {
    name: "console.",
    modules: ["node:console"],
    homes: CLI,
    inTests: "allowed",
    instead: "take a Logger",
  },
  ...["AsyncDisposableStack", "DisposableStack", "SuppressedError"].map((name): BannedGlobal => {
    return { name, modules: [], homes: [], inTests: "allowed", instead: "do without it: Node 22 does not have it" };
  }),
];

/**
 * In packages, time, chance, timers, the process and the console come in through arguments. What the oldest Node that we promise does
 * not have is used nowhere, although the compiler knows it.
 */
export function checkGlobals(tree: Tree): readonly Violation[] {
  return sourcePaths(tree)
    .filter((path) => placeInSource(path) !== undefined)
    .flatMap((path) => {
      const banned = BANNED.filter(({ homes, inTests }) => {
        return !homes.some((home) => path.startsWith(home)) && (inTests === "banned" || !isTest(path));
      });
      return banned.flatMap((global) => usesOf(tree, path, global));
    });
}

function usesOf(tree: Tree, path: string, { name, modules, instead }: BannedGlobal): readonly Violation[] {
  const tokens = tokensOf(tree, path);
  const uses = tokens.flatMap((token, index) => (isUse(tokens, index, name) ? [{ line: token.line, what: name }] : []));
  const imports = importsOf(tree, path)
    .filter(({ specifier }) => modules.includes(specifier))
    .map(({ line, specifier }) => ({ line, what: specifier }));
  return [...uses, ...imports].map(({ line, what }) => ({ file: path, line, wrong: `uses ${what}`, instead }));
}

function isUse(tokens: readonly Token[], index: number, name: string): boolean {
  const token = tokens[index];
  if (token?.kind !== "word" || !isGlobal(tokens, index)) return false;
  const after = tokens[index + 1]?.text ?? "";
  const isMember = after === "." || after === "?.";
  if (name === "new Date()") return token.text === "Date" && isNow(tokens, index);
  const [object = "", property] = name.split(".");
  if (token.text !== object) return false;
  if (property === undefined) return !isPropertyName(tokens, index);
  if (property === "") return isMember || after === "[" || (tokens[index - 1]?.text === "=" && /^[;,)]$/.test(after));
  return isMember && tokens[index + 2]?.text === property;
}

/** Whether a word is not the member of something, other than of the global object. */
function isGlobal(tokens: readonly Token[], index: number): boolean {
  const before = tokens[index - 1]?.text;
  return (before !== "." && before !== "?.") || tokens[index - 2]?.text === "globalThis";
}

/** `new Date()`, `new Date`, and `Date()`, which gives the time as text whatever its arguments. */
function isNow(tokens: readonly Token[], index: number): boolean {
  const isCalled = tokens[index + 1]?.text === "(";
  const first = tokens[index - 1]?.text === "." ? index - 2 : index;
  if (tokens[first - 1]?.text === "new") return !isCalled || tokens[index + 2]?.text === ")";
  return isCalled;
}

function isPropertyName(tokens: readonly Token[], index: number): boolean {
  const before = tokens[index - 1]?.text ?? "";
  const after = tokens[index + 1]?.text ?? "";
  return (before === "{" || before === "," || before === ";" || before === "readonly") && /^[?:]$/.test(after);
}
