import { stringifyJson } from "@levelset/core";
import { ExpressionError } from "../expression/index.ts";
import type { AdapterTask, PostAction } from "../task/index.ts";
import { TemplateError } from "../template/index.ts";
import type { RunContext } from "./context.ts";
import { PhaseError } from "./phase-error.ts";

/**
 * Builds the payloads and does the post-actions, in their order, up to the first failure. A payload whose gate does not hold is not built,
 * and an action that uses it is skipped. An API that does not know the resource any more needs no report. Throws a PhaseError.
 */
export async function report({ payloads, actions }: AdapterTask, run: RunContext): Promise<void> {
  const unbuilt = new Set<string>();
  for (const { name, when, build } of payloads) {
    const isBuilt = guarded(name, () => {
      if (when?.holds(run.known.json) === false) return false;
      run.known.set(name, stringifyJson(run.renderer.tree(build)));
      return true;
    });
    if (!isBuilt) unbuilt.add(name);
  }
  for (const action of actions) {
    const why = guarded(action.name, () => reasonToSkip(action, unbuilt, run));
    if (why !== undefined) {
      run.trace.postActions.push({ name: action.name, status: "skipped", detail: why });
      continue;
    }
    await act(action, run);
  }
}

async function act({ name, log, call }: PostAction, run: RunContext): Promise<void> {
  try {
    guarded(name, () => run.log(log, name));
    if (call !== undefined) await run.call("post_actions", name, call);
    run.trace.postActions.push({ name, status: "success" });
  } catch (error) {
    if (error instanceof PhaseError && error.isNotFound) {
      run.trace.postActions.push({ name, status: "skipped", detail: "the resource is not there any more" });
      return;
    }
    run.trace.postActions.push({ name, status: "failed" });
    if (error instanceof TemplateError) throw new PhaseError("post_actions", name, error.message);
    throw error;
  }
}

function reasonToSkip(
  { when, call, log }: PostAction,
  unbuilt: ReadonlySet<string>,
  run: RunContext,
): string | undefined {
  if (when?.holds(run.known.json) === false) return `${when.text} is false`;
  const templates = [call?.url, call?.body, log?.message, ...(call?.headers ?? []).map(({ value }) => value)];
  const missing = templates.flatMap((template) => [...(template?.roots ?? [])]).find((root) => unbuilt.has(root));
  return missing === undefined ? undefined : `the payload ${missing} was not built`;
}

/** A failing expression or template fails the phase at its step. */
function guarded<Out>(name: string, work: () => Out): Out {
  try {
    return work();
  } catch (error) {
    if (error instanceof ExpressionError || error instanceof TemplateError) {
      throw new PhaseError("post_actions", name, error.message);
    }
    throw error;
  }
}
