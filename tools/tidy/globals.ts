import { importsOf } from "./source/import.ts";
import { tokensOf } from "./source/token.ts";
import type { Token } from "./source/token.ts";
import { isTest, locationInSource, sourcePaths } from "./tree.ts";
import type { SourceTree } from "./tree.ts";
import type { Violation } from "./violation.ts";

/** A platform API that code must receive as an argument instead of using it directly. */
interface BannedGlobal {
  /** As written in code: `Date.now`, `setTimeout`, `new Date()`. `process.` also means `process[` and `= process`. */
  readonly name: string;
  /** Node modules with the same API. */
  readonly modules: readonly string[];
  /** Files that may use it, including tests. */
  readonly homes: readonly string[];
  /** Whether tests may use it; `banned everywhere`: not even those outside packages, nor their helpers. */
  readonly inTests: "allowed" | "banned" | "banned everywhere";
  readonly fix: string;
}

const TIME = ["packages/core/src/time/"];
const CLI = ["packages/cli/src/"];
/** Tests outside packages, and their helpers. */
const TESTS = /^tests\/|^(?!bench\/).*\.(?:test|fixture)\.tsx?$/u;
const TIMERS = ["node:timers", "node:timers/promises"];

const BANNED: readonly BannedGlobal[] = [
  { name: "Date.now", modules: [], homes: TIME, inTests: "banned", fix: "take a Clock and call now()" },
  { name: "new Date()", modules: [], homes: TIME, inTests: "allowed", fix: "take a Clock: new Date(clock.now())" },
  {
    name: "performance.now",
    modules: ["node:perf_hooks"],
    homes: TIME,
    inTests: "banned everywhere",
    fix: "take a Clock and call now(); a test asserts no times: measure them in bench",
  },
  { name: "Math.random", modules: [], homes: TIME, inTests: "allowed", fix: "take a Random and call next()" },
  {
    name: "setTimeout",
    modules: TIMERS,
    homes: TIME,
    inTests: "banned",
    fix: "take a Clock and call after() or sleep(); in a test advance a VirtualClock",
  },
  {
    name: "setInterval",
    modules: [],
    homes: TIME,
    inTests: "banned",
    fix: "take a Clock and loop over sleep(); in a test advance a VirtualClock",
  },
  {
    name: "setImmediate",
    modules: [],
    // The durable store batches the writes of one event loop turn, and controllers yield to requests during long work.
    // RabbitMQ's client reports a returned message in the turn after its confirm. Streams send the events of a turn
    // together.
    homes: [
      "packages/core/src/testing/",
      "packages/core/src/http/send-response.ts",
      "packages/apiserver/src/store/sqlite/",
      "packages/fleet/src/store/sqlite/",
      "packages/apiserver/src/controllers/yield-to-event-loop.ts",
      "packages/fleet/src/broker/rabbitmq/rabbitmq-publisher.ts",
    ],
    inTests: "allowed",
    fix: "await the promise itself; in a test await untilIdle()",
  },
  {
    name: "AbortSignal.timeout",
    modules: [],
    homes: TIME,
    inTests: "allowed",
    fix: "take a Clock: clock.after(ms, () => controller.abort())",
  },
  {
    name: "AbortSignal.any",
    modules: [],
    homes: [],
    inTests: "allowed",
    fix: "add your own abort listener: a combined signal may be garbage-collected before it fires",
  },
  {
    name: "process.",
    modules: ["node:process"],
    // Rejections of simulated code must not reach the listeners of a test runner.
    homes: [...CLI, "packages/simulation/src/world/world-rejections.ts"],
    inTests: "allowed",
    fix: "only cli uses process: take the value as an option",
  },
  {
    name: "console.",
    modules: ["node:console"],
    homes: CLI,
    inTests: "allowed",
    fix: "take a Logger",
  },
  ...["AsyncDisposableStack", "DisposableStack", "SuppressedError"].map((name): BannedGlobal => {
    return { name, modules: [], homes: [], inTests: "allowed", fix: "remove it: Node 22 does not have it" };
  }),
];

/**
 * Reports direct use of time, randomness, timers, the process and the console in packages, which must be arguments.
 * Reports tests that measure time. Reports APIs that the oldest supported Node lacks, which the compiler does not
 * detect.
 */
export function checkGlobals(tree: SourceTree): readonly Violation[] {
  return sourcePaths(tree).flatMap((path) => {
    const banned = BANNED.filter(({ homes, inTests }) => {
      if (homes.some((home) => path.startsWith(home))) return false;
      if (locationInSource(path) !== undefined) return inTests !== "allowed" || !isTest(path);
      return inTests === "banned everywhere" && TESTS.test(path);
    });
    return banned.flatMap((global) => usesOf(tree, path, global));
  });
}

function usesOf(tree: SourceTree, path: string, { name, modules, fix }: BannedGlobal): readonly Violation[] {
  const tokens = tokensOf(tree, path);
  const uses = tokens.flatMap((token, index) => (isUse(tokens, index, name) ? [{ line: token.line, what: name }] : []));
  const imports = importsOf(tree, path)
    .filter(({ specifier }) => modules.includes(specifier))
    .map(({ line, specifier }) => ({ line, what: specifier }));
  return [...uses, ...imports].map(({ line, what }) => ({ file: path, line, message: `uses ${what}`, fix }));
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

/** Returns whether a word is a global: not a member of another object than the global object. */
function isGlobal(tokens: readonly Token[], index: number): boolean {
  const before = tokens[index - 1]?.text;
  return (before !== "." && before !== "?.") || tokens[index - 2]?.text === "globalThis";
}

/** Matches `new Date()`, `new Date`, and `Date()`, which returns the current time for any arguments. */
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
