import { builtIn, s, atomicJsonObject } from "../field-builders.ts";

/** A revision of the template of a StatefulSet or DaemonSet, for rollbacks. */
export const ControllerRevision = builtIn({
  group: "apps",
  version: "v1",
  kind: "ControllerRevision",
  description: "A revision of the template of a StatefulSet or DaemonSet, for rollbacks.",
  fields: { revision: s.int64().describe("Revision number.").default(0), data: atomicJsonObject("The recorded data.") },
});
