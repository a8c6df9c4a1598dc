import { isJsonObject } from "@levelset/core";
import type { JsonObject } from "@levelset/core";
import type { HttpResource } from "../task/index.ts";
import type { RunContext } from "./context.ts";
import { PhaseError } from "./phase-error.ts";

/**
 * A resource of an HTTP API as it is now; undefined if the API says that there is none. What is known of it beside its own fields is
 * `inProgress`: whether the work on it is still under way.
 */
export async function observeHttp(
  name: string,
  { observe, inProgress }: HttpResource,
  run: RunContext,
): Promise<JsonObject | undefined> {
  try {
    const { status, body } = await run.call("resources", name, observe);
    const isUnderWay = inProgress?.holds({ ...run.known.json, response: body }) ?? status === 202;
    return { ...(isJsonObject(body) ? body : { value: body }), inProgress: isUnderWay };
  } catch (error) {
    if (error instanceof PhaseError && error.isNotFound) return undefined;
    throw error;
  }
}

/**
 * Sends the request that makes or removes it; returns whether it was accepted as work to be done (202), unless the configuration says
 * itself what in progress means. Work that is under way is not begun again: the request would be the second one for the
 * same wish. The request itself must be idempotent, since it is sent at every pulse.
 */
export async function actOnHttp(
  name: string,
  { apply, remove, inProgress }: HttpResource,
  run: RunContext,
  action: "apply" | "delete",
): Promise<boolean> {
  const isUnderWay = run.resources[name]?.["inProgress"] === true;
  const call = action === "apply" ? apply : remove;
  if (call === undefined) throw new PhaseError("resources", name, "there is no request to delete it");
  if (isUnderWay && action === "apply") {
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
