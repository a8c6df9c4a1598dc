import { stripVTControlCharacters } from "node:util";
import { InputError } from "@levelset/core";
import { VirtualClock } from "@levelset/core/testing";
import { describe, expect, test } from "vitest";
import { testShell } from "../terminal/shell.fixture.ts";
import { runWait } from "./run-wait.ts";
import type { WaitRun, WaitTarget } from "./run-wait.ts";
import type { WaitState } from "./wait-state.ts";

const busy: WaitState = {
  kind: "waiting",
  state: "Progressing",
  generation: 2,
  observedGeneration: 1,
  message: "observed generation 1 of 2",
};
const ready: WaitState = { kind: "reached", state: "Ready", generation: 2, observedGeneration: 2, message: "there" };
const broken: WaitState = { kind: "failed", state: "Failed", generation: 2, reason: "BadImage", message: "no image" };

/** A target that reports these states, then stays in the last one. */
function target(name: string, ...states: readonly (WaitState | Error)[]): WaitTarget {
  return {
    name,
    fields: { kind: "Widget" },
    hint: `levelset why ${name}`,
    wait: (report, signal) =>
      new Promise((resolve, reject) => {
        for (const state of states) {
          if (state instanceof Error) return reject(state);
          if (state.kind !== "waiting") return resolve(state);
          report(state);
        }
        signal.addEventListener("abort", () => reject(new DOMException("stopped", "AbortError")), { once: true });
      }),
  };
}

function run(more: Partial<WaitRun> = {}): WaitRun {
  return { goal: "ready", timeoutMs: 60_000, output: "text", signal: new AbortController().signal, ...more };
}

describe("runWait", () => {
  test("prints a line on stderr for each change, and the result on stdout", async () => {
    const { shell, output } = testShell({ cwd: "." });
    await runWait([target("widget/a", busy, busy, ready)], run(), shell);
    expect(output).toEqual({
      stdout: "widget/a is Ready, generation 2\n",
      stderr: "widget/a  Progressing  generation 2, observed 1  observed generation 1 of 2\n",
      code: 0,
    });
  });

  test("exits with 3 and a hint on timeout", async () => {
    const clock = new VirtualClock();
    const { shell, output } = testShell({ cwd: "." });
    const waiting = runWait([target("widget/a", busy), target("widget/b", ready)], run(), { ...shell, clock });
    await clock.advance(60_000);
    await waiting;
    expect(output.code).toBe(3);
    expect(output.stderr).toMatch(/\nlevelset: timed out after 60 s\n$/u);
    expect(output.stdout).toBe(
      "widget/a is Progressing, generation 2: observed generation 1 of 2\nTry: levelset why widget/a\nwidget/b is Ready, generation 2\n",
    );
  });

  test("waits without limit with a timeout of 0, until it is stopped", async () => {
    const clock = new VirtualClock();
    const stop = new AbortController();
    const { shell, output } = testShell({ cwd: "." });
    const options = run({ timeoutMs: 0, signal: stop.signal });
    const waiting = runWait([target("widget/a", busy)], options, { ...shell, clock });
    await clock.advance(1e9);
    expect(output.stdout).toBe("");
    stop.abort();
    await waiting;
    expect(output).toMatchObject({ code: 3, stderr: expect.stringContaining("stopped before the end") });
  });

  test("ends as soon as one of several targets has failed", async () => {
    const { shell, output } = testShell({ cwd: "." });
    await runWait([target("widget/a", busy), target("widget/b", broken)], run(), shell);
    expect(output.code).toBe(3);
    expect(output.stdout).toContain(
      "widget/b has failed, generation 2: BadImage: no image\nTry: levelset why widget/b\n",
    );
  });

  test("throws the error of a target and ends the others", async () => {
    const { shell } = testShell({ cwd: "." });
    const targets = [target("widget/a", busy), target("widget/b", new InputError("forbidden"))];
    await expect(runWait(targets, run(), shell)).rejects.toThrow("forbidden");
  });

  test("prints one JSON document at the end with -o json", async () => {
    const { shell, output } = testShell({ cwd: "." });
    await runWait([target("widget/a", busy, ready)], run({ output: "json" }), shell);
    const entry = { object: "widget/a", ...ready, result: "reached", kind: "Widget" };
    expect(JSON.parse(output.stdout)).toEqual({ for: "ready", outcome: "reached", objects: [entry] });
  });

  test("redraws one line per target on a terminal, truncated and without control characters", async () => {
    const { shell, output } = testShell({ cwd: ".", terminal: { columns: 40, colors: false } });
    const hostile = { ...busy, message: "\u001B[2Jgone\u202E" };
    await runWait([target("widget/a", busy, hostile, ready)], run(), shell);
    expect(output.stderr).toBe("");
    expect(output.stdout).not.toContain("\u001B[2J");
    expect(output.stdout).not.toContain("\u202E");
    const lines = stripVTControlCharacters(output.stdout).split("\n");
    expect(lines.filter((text) => text.length > 40)).toEqual([]);
    expect(output.stdout).toMatch(/widget\/a is Ready, generation 2\n$/u);
  });
});
