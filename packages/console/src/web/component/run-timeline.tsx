import type { JSX } from "preact";
import type { RunJson, StepJson } from "@levelset/operator/internal";
import { UntrustedText } from "./components.tsx";
import { toneOf } from "../tone.ts";
import { formatTimeOfDay, formatCount, escapeInvisible } from "../format.ts";

/** The latest runs, newest first: triggers, queue time, duration, steps and writes. */
export function RunTimeline({
  runs,
  unreachable,
}: {
  readonly runs: readonly RunJson[];
  readonly unreachable: readonly string[];
}): JSX.Element {
  const longest = Math.max(1, ...runs.map(({ waitedMs, durationMs }) => waitedMs + durationMs));
  return (
    <>
      {unreachable.map((message) => (
        <p key={message} class="aside">
          <UntrustedText text={message} />
        </p>
      ))}
      {runs.length === 0 ? (
        <p class="empty">
          No runs recorded. Operators that run on this machine with levelset dev or levelset run --live serve their
          runs.
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
        <time dateTime={startedAt}>{formatTimeOfDay(startedAt)}</time>
        <span class={`state ${toneOf(result)}`}>{result}</span>
        <UntrustedText class="message" text={reasons.length === 0 ? "" : `triggered by ${reasons.join(", ")}`} />
        <span class="aside">
          {`${generation === undefined ? "" : `generation ${generation} · `}queued ${waitedMs} ms · ran ${durationMs} ms · ${formatCount(writes, "write")}`}
        </span>
      </div>
      <div
        class="run-bar"
        role="img"
        aria-label={`queued for ${waitedMs} ms, ran for ${durationMs} ms: ${steps.map(stepText).join(", ")}`}
      >
        {waitedMs > 0 ? <span class="waited" style={{ width: width(waitedMs) }} /> : null}
        <span class="worked" style={{ width: width(durationMs) }}>
          {steps.map((step) => (
            <span
              key={`${step.step}${step.phase}`}
              class={`step ${toneOf(step.result)}`}
              style={{ flexGrow: Math.max(1, step.durationMs) }}
              title={stepText(step)}
            >
              <span>{escapeInvisible(step.step)}</span>
            </span>
          ))}
        </span>
      </div>
      {failed.map(({ step, message = "" }) => (
        <p key={step} class="aside">
          {`${escapeInvisible(step)}: `}
          <UntrustedText text={message} />
        </p>
      ))}
    </li>
  );
}

function stepText({ step, phase, result, durationMs }: StepJson): string {
  return escapeInvisible(`${step}${phase === "do" ? "" : ` ${phase}`} ${result}, ${durationMs} ms`);
}
