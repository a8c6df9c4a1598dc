import type { SpecOf } from "@levelset/core";
import type { Discovery } from "../../client/index.ts";
import { validateIgnoreRules } from "./ignore-rules.ts";
import { HealthRules } from "./health-rules.ts";
import type { Operand } from "./operand-kinds.ts";
import { parseManifestSet } from "./manifest-set.ts";
import type { InvalidManifestSet, ManifestSet } from "./manifest-set.ts";
import { KindResolver } from "./kind-resolver.ts";
import { shapeProblem } from "./manifest-shape.ts";

/** A parsed and validated spec. */
export interface ResolvedSet {
  readonly kind: "good";
  readonly manifest: ManifestSet;
  readonly kinds: KindResolver;
  readonly health: HealthRules;
}

/** Parses and validates the spec of the Operand `self`. An invalid spec is not applied at all. */
export async function resolveSet(
  spec: SpecOf<Operand>,
  discovery: Pick<Discovery, "kindOf">,
  signal: AbortSignal,
  self?: string,
): Promise<ResolvedSet | InvalidManifestSet> {
  const health = HealthRules.compile(spec);
  if ("problem" in health) return { kind: "bad", problems: [health.problem], lacksNamespace: false };
  const problems = validateIgnoreRules(spec.drift.ignore);
  if (problems.length > 0) return { kind: "bad", problems, lacksNamespace: false };
  const objects = [...spec.steadyState, ...spec.postInstall].filter((object) => shapeProblem(object) === undefined);
  const kinds = await KindResolver.of(objects, discovery, signal);
  const manifest = parseManifestSet(spec, kinds.scopeOf, self);
  return manifest.kind === "bad" ? manifest : { kind: "good", manifest, kinds, health };
}
