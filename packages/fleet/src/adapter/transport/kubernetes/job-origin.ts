import type { JsonObject } from "@levelset/core";
import { metadataOf, objectOrEmpty } from "../../json-parts.ts";
import type { JobOrigin } from "./job-rerun.ts";

const HASH_ANNOTATION = "fleet.levelset.dev/made-from";
const ATTEMPT_ANNOTATION = "fleet.levelset.dev/attempt";

/** Annotations that record how a Job was created; none for other kinds. */
export function jobOriginAnnotations(origin: JobOrigin | undefined): Readonly<Record<string, string>> {
  return origin === undefined ? {} : { [HASH_ANNOTATION]: origin.hash, [ATTEMPT_ANNOTATION]: String(origin.attempt) };
}

/** Reads from the annotations how a Job was created. */
export function jobOriginOf(live: JsonObject): JobOrigin | undefined {
  const annotations = objectOrEmpty(metadataOf(live)["annotations"]);
  const hash = annotations[HASH_ANNOTATION];
  const attempt = Number(annotations[ATTEMPT_ANNOTATION]);
  if (typeof hash !== "string") return undefined;
  return { hash, attempt: Number.isInteger(attempt) && attempt > 0 ? attempt : 1 };
}
