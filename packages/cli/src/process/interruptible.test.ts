import { expect, test } from "vitest";
import { interruptible } from "./interruptible.ts";

/** Runs a command that is stopped, and returns its exit code and its error. */
async function stopped(command: (signal: AbortSignal) => Promise<void>): Promise<readonly [number, unknown]> {
  const controller = new AbortController();
  let code = 0;
  const shell = { signal: () => controller.signal, exitCode: (set: number) => void (code = set) };
  const error: unknown = await interruptible(shell, async ({ signal }) => {
    controller.abort();
    await command(signal());
  }).catch((thrown: unknown) => thrown);
  return [code, error];
}

test("a command that a signal stops before its end exits with 130", async () => {
  expect(await stopped((signal) => Promise.reject(signal.reason as Error))).toEqual([130, undefined]);
});

test("a command that ends although it is stopped keeps its exit code, and one that fails its error", async () => {
  const error = new Error("no cluster");
  expect(await stopped(() => Promise.resolve())).toEqual([0, undefined]);
  expect(await stopped(() => Promise.reject(error))).toEqual([0, error]);
});
