import type { AnyCustomKind } from "@levelset/core";
import { describeRef, isHeldBack, refTo } from "../../engine/index.ts";
import type { Reference, Req, Result, StepPolicyRule } from "../../engine/index.ts";
import { endCleanup, isNamespaceDeleted } from "../namespace-termination.ts";

/**
 * The right to read the object's own namespace. A Role grants it, because the server treats a request for a namespace as
 * one within that namespace (k8s.io/apiserver/pkg/endpoints/request/requestinfo.go).
 */
export const READ_NAMESPACE: StepPolicyRule = { apiGroups: [""], resources: ["namespaces"], verbs: ["get"] };

/**
 * Runs a cleanup that needs the objects of `reads`. If it does not succeed, one of them is gone, and the namespace is
 * being deleted, that object cannot come back, so the cleanup is skipped. Otherwise its result stands. Rejects with the
 * error of the cleanup, also with `ExternalHeldBack`.
 */
export async function skippable<K extends AnyCustomKind>(
  req: Req<K, never>,
  step: string,
  reads: readonly Reference<K>[],
  cleanup: () => Promise<Result<undefined>>,
): Promise<Result<undefined>> {
  const missing = missingInput(req, reads);
  if (missing === undefined) return cleanup();
  const skipped = async (): Promise<Result<undefined> | undefined> =>
    (await isNamespaceDeleted(req)) ? endCleanup(req, step, "skip", `${missing} is gone`) : undefined;
  try {
    const result = await cleanup();
    // A resource that is still being deleted needs no input that is gone.
    return result.kind === "ok" || result.kind === "requeueAfter" ? result : ((await skipped()) ?? result);
  } catch (error) {
    if (isHeldBack(error)) throw error;
    const result = await skipped();
    if (result !== undefined) return result;
    throw error;
  }
}

/** Returns the first input that does not exist, for messages. */
function missingInput<K extends AnyCustomKind>(req: Req<K, never>, reads: readonly Reference<K>[]): string | undefined {
  for (const read of reads) {
    if (read.by === "name") {
      const key = read.keys(req.object).find((each) => req.get(read.kind, each) === undefined);
      if (key !== undefined) return describeRef(refTo(read.kind, key));
      continue;
    }
    const labels = read.labels(req.object);
    if (labels !== undefined && req.select(read.kind, labels).length === 0)
      return `every selected ${read.kind.singular}`;
  }
  return undefined;
}
