import type { JSX } from "preact";
import type { RunJson, StepJson } from "@levelset/operator";
import { Words } from "./parts.tsx";
import { toneOf } from "./tone.ts";
import { clockTime, count, visible } from "./words.ts";

/** The last runs, the newest first: why each was, how long it waited and worked, step by step, and what was written. */
export function RunTimeline({
  runs,
  silent,
}: {
  readonly runs: readonly RunJson[];
  readonly silent: readonly string[];
}): JSX.Element {
  const longest = Math.max(1, ...runs.map(({ waitedMs, durationMs }) => waitedMs + durationMs));
  return (
    <>
      {silent.map((words) => (
        <p key={words} class="aside">
          <Words text={words} />
        </p>
      ))}
      {runs.length === 0 ? (
        <p class="empty">
          No runs are recorded. Operators of this machine that were started with levelset dev or run tell theirs.
        </p>
      ) : null}
      <ol class="runs">
        {runs.toReversed().map((run) => (
          <Run key={`${run.controller}${run.number}${run.startedAt}`} run={run} longest={longest} />
        ))}
      </ol>
    </>
  );
}

function Run({ run, longest }: { readonly run: RunJson; readonly longest: number }): JSX.Element {
  const { number, startedAt, reasons, waitedMs, durationMs, steps, writes, result, generation } = run;
  const width = (ms: number): string => `${(100 * ms) / longest}%`;
  const failed = steps.filter(({ message }) => message !== undefined);
  return (
    <li class="run">
      <div class="run-head">
        <strong>{`run ${number}`}</strong>
        <time dateTime={startedAt}>{clockTime(startedAt)}</time>
        <span class={`state ${toneOf(result)}`}>{result}</span>
        <Words class="message" text={reasons.length === 0 ? "" : `because ${reasons.join(", ")}`} />
        <span class="aside">
          {`${generation === undefined ? "" : `generation ${generation} · `}waited ${waitedMs} ms · ${durationMs} ms · ${writes === 0 ? "nothing written" : count(writes, "write")}`}
        </span>
      </div>
      <div
        class="run-bar"
        role="img"
        aria-label={`waited ${waitedMs} ms, worked ${durationMs} ms: ${steps.map(stepWords).join(", ")}`}
      >
        {waitedMs > 0 ? <span class="waited" style={{ width: width(waitedMs) }} /> : null}
        <span class="worked" style={{ width: width(durationMs) }}>
          {steps.map((step) => (
            <span
              key={`${step.step}${step.phase}`}
              class={`step ${toneOf(step.result)}`}
              style={{ flexGrow: Math.max(1, step.durationMs) }}
              title={stepWords(step)}
            >
              <span>{visible(step.step)}</span>
            </span>
          ))}
        </span>
      </div>
      {failed.map(({ step, message = "" }) => (
        <p key={step} class="aside">
          {`${visible(step)}: `}
          <Words text={message} />
        </p>
      ))}
    </li>
  );
}

function stepWords({ step, phase, result, durationMs }: StepJson): string {
  return visible(`${step}${phase === "do" ? "" : ` ${phase}`} ${result}, ${durationMs} ms`);
}
