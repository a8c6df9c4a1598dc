import type { SpecOf } from "@levelset/core";
import type { Discovery } from "../client/index.ts";
import { ignoreProblems } from "./drift.ts";
import { Health } from "./health.ts";
import type { Operand } from "./kinds.ts";
import { readManifest } from "./manifest.ts";
import type { BadManifest, Manifest } from "./manifest.ts";
import { SetKinds } from "./set-kinds.ts";

/** All that a spec says, understood. */
export interface GoodSet {
  readonly kind: "good";
  readonly manifest: Manifest;
  readonly kinds: SetKinds;
  readonly health: Health;
}

/** Reads and checks what a spec asks for. Nothing of a bad one is applied. */
export async function readSet(
  spec: SpecOf<Operand>,
  discovery: Pick<Discovery, "kindOf">,
  signal: AbortSignal,
): Promise<GoodSet | BadManifest> {
  const health = Health.of(spec);
  if ("problem" in health) return { kind: "bad", problems: [health.problem] };
  const problems = ignoreProblems(spec.drift.ignore);
  if (problems.length > 0) return { kind: "bad", problems };
  const kinds = await SetKinds.of([...spec.steadyState, ...spec.postInstall], discovery, signal);
  const manifest = readManifest(spec, kinds.scopeOf);
  return manifest.kind === "bad" ? manifest : { kind: "good", manifest, kinds, health };
}
