import type { ApiObject } from "@levelset/apiserver";
import type { History, Sample } from "../history/index.ts";
import type { Subject } from "../subject/index.ts";
import { runHistory } from "./run-history.ts";
import type { RunResult } from "./run-options.ts";

/** A sample in a new cluster. */
export interface ObservedSample {
  readonly isReady: boolean;
  /** The objects that the operators have created for it. */
  readonly children: readonly ApiObject[];
  readonly history: History;
  readonly run: RunResult;
}

/** Creates a sample in a new cluster without faults. */
export async function observeSample(subject: Subject, { root, inputs }: Sample): Promise<ObservedSample> {
  const operations = [...inputs, root].map((object) => ({ do: "create", object, afterMs: 0 }) as const);
  const history = { operations };
  const properties = { always: {}, eventually: {} };
  const run = await runHistory({ subject, history, faults: [], seed: 1, mode: "learn", properties });
  const { roots } = run.rest;
  return { isReady: roots.size > 0 && [...roots.values()].every(Boolean), children: run.children, history, run };
}
