import type { JsonObject } from "@levelset/core";
import { metadataOf, objectOf } from "../../json-parts.ts";
import type { JobMade } from "./job-rerun.ts";

const HASH_ANNOTATION = "fleet.levelset.dev/made-from";
const ATTEMPT_ANNOTATION = "fleet.levelset.dev/attempt";

/** The annotations that say how a Job was made; none for other kinds. */
export function madeAnnotations(made: JobMade | undefined): Readonly<Record<string, string>> {
  return made === undefined ? {} : { [HASH_ANNOTATION]: made.hash, [ATTEMPT_ANNOTATION]: String(made.attempt) };
}

/** How a Job was made, as its annotations say. */
export function madeFrom(live: JsonObject): JobMade | undefined {
  const annotations = objectOf(metadataOf(live)["annotations"]);
  const hash = annotations[HASH_ANNOTATION];
  const attempt = Number(annotations[ATTEMPT_ANNOTATION]);
  if (typeof hash !== "string") return undefined;
  return { hash, attempt: Number.isInteger(attempt) && attempt > 0 ? attempt : 1 };
}
