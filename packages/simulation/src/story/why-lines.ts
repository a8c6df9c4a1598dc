import { explainLines } from "@levelset/operator/internal";
import type { ExplainLine } from "@levelset/operator/internal";
import type { WhyReport } from "../run/index.ts";

/** Returns the trees of the custom resources that a violation concerns, as `levelset why` prints them. */
export function whyLines({ objects, now, left }: WhyReport): readonly ExplainLine[] {
  return [
    // Stories name all objects with their namespaces.
    ...objects.flatMap((object) => explainLines(object, { now, namespace: "" })),
    ...(left > 0 ? [[{ text: `and ${left} more`, style: "faint" } as const]] : []),
  ];
}
