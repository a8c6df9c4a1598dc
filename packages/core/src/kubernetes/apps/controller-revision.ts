import { builtIn } from "../../kind/index.ts";
import { atomicJsonObject } from "../field-builders.ts";
import { s } from "../../schema/index.ts";

/** A revision of the template of a StatefulSet or DaemonSet, for rollbacks. */
export const ControllerRevision = builtIn({
  group: "apps",
  version: "v1",
  kind: "ControllerRevision",
  description: "A revision of the template of a StatefulSet or DaemonSet, for rollbacks.",
  fields: { revision: s.int64().describe("Revision number.").default(0), data: atomicJsonObject("The recorded data.") },
});
