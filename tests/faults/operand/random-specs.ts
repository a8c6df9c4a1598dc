import { randomInt } from "@levelset/core/internal";
import type { EmbeddedObject, Random } from "@levelset/core";
import { config, deployment } from "../../scenarios/operand/manifests.ts";
import type { Spec } from "../../scenarios/operand/operands.ts";

/** Names of the changing Operands. */
export const NAMES = ["p", "q", "r"];
const NAMESPACE = "default";

/** Objects that several Operands may share: always equal, because two Operands that disagree would conflict forever. */
const SHARED = ["shared-1", "shared-2", "shared-3"];
const OWN = ["own-1", "own-2", "own-3", "own-4"];
const DEPLOYMENTS = ["deployed-1", "deployed-2"];

function some<T>(random: Random, from: readonly T[], chance: number): readonly T[] {
  return from.filter(() => random.next() < chance);
}

/**
 * Returns a random spec of an Operand: shared objects, own objects with varying content, Deployments, and overrides.
 */
export function randomSpec(random: Random, operand: string): Spec {
  const content = (): { readonly v: string } => ({ v: String(randomInt(random, 1, 3)) });
  const image = (): string => `example.com/app:${randomInt(random, 1, 3)}`;
  const own = (name: string): string => `${operand}-${name}`;
  const steadyState: EmbeddedObject[] = [
    ...some(random, SHARED, 0.4).map((name) => config(NAMESPACE, name, { v: "1" })),
    ...some(random, OWN, 0.5).map((name) => config(NAMESPACE, own(name), content())),
    ...some(random, DEPLOYMENTS, 0.4).map((name) => deployment(NAMESPACE, own(name), [image()])),
    ...some(random, ["once"], 0.3).map((name) =>
      config(NAMESPACE, own(name), content(), { operand: { mode: "EnsureExists" } }),
    ),
  ];
  const postInstall: EmbeddedObject[] = [
    ...some(random, OWN, 0.2).map((name) => config(NAMESPACE, own(name), { post: "yes", ...content() })),
    ...some(random, DEPLOYMENTS, 0.2).map((name) => deployment(NAMESPACE, own(name), [image(), image()])),
  ];
  return { steadyState: shuffled(random, steadyState), postInstall };
}

function shuffled<T>(random: Random, items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, at: random.next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

/** Returns the expected objects of specs by kind and name. */
export function expectedObjects(specs: readonly Spec[]): readonly string[] {
  const all = specs.flatMap(({ steadyState = [], postInstall = [] }) => [...steadyState, ...postInstall]);
  return [...new Set(all.map(({ kind, metadata }) => `${kind}/${JSON.stringify(metadata.name)}`))].toSorted();
}
