import { isJsonObject } from "@levelset/core";
import type { JsonObject } from "@levelset/core";
import type { HttpResource } from "../task/index.ts";
import type { RunContext } from "./run-context.ts";
import { PhaseError } from "./phase-error.ts";

/**
 * Reads a resource of an HTTP API. Returns undefined if the API reports that it does not exist. `inProgress` is added
 * to the fields of the response.
 */
export async function observeHttp(
  name: string,
  { observe, inProgress }: HttpResource,
  run: RunContext,
): Promise<JsonObject | undefined> {
  try {
    const { status, body } = await run.call("resources", name, observe);
    const isPending = inProgress?.holds({ ...run.variables.json, response: body }) ?? status === 202;
    return { ...(isJsonObject(body) ? body : { value: body }), inProgress: isPending };
  } catch (error) {
    if (error instanceof PhaseError && error.isNotFound) return undefined;
    throw error;
  }
}

/**
 * Sends the request that creates, updates or deletes the resource. Returns whether it was accepted for asynchronous
 * processing (202), unless the configuration has its own in_progress rule. Sends no second request while work is in
 * progress. The request must be idempotent, since it is sent at every pulse.
 */
export async function reconcileHttp(
  name: string,
  { apply, remove, inProgress }: HttpResource,
  run: RunContext,
  action: "apply" | "delete",
): Promise<boolean> {
  const isPending = run.resources[name]?.["inProgress"] === true;
  const call = action === "apply" ? apply : remove;
  if (call === undefined)
    throw new PhaseError("resources", name, "no delete request is configured: set transport.http.delete");
  if (isPending && action === "apply") {
    run.trace.operations.push({ resource: name, operation: "hold", result: "under way" });
    return false;
  }
  const { status } = await run.call("resources", name, call).catch((error: unknown) => {
    if (action === "delete" && error instanceof PhaseError && error.isNotFound) return { status: 404 };
    throw error;
  });
  run.trace.operations.push({ resource: name, operation: "request", result: `${call.method}: ${status}` });
  return status === 202 && inProgress === undefined;
}
