import { createHash } from "node:crypto";
import { crdOf, kind, s } from "@levelset/core";
import type { BenchClient } from "../apiserver-client.ts";

const PREFIX = "applyset.kubernetes.io";

/**
 * The parent of an ApplySet, which is how kubectl knows what it applied before. Only one that lives in no namespace may have members in
 * several, and kubectl takes kinds with a certain label for such.
 */
const Bundle = kind({
  group: "bench.levelset.dev",
  version: "v1",
  kind: "Bundle",
  scope: "Cluster",
  spec: s.object({}),
});

/** Declares the kind of the parents. */
export async function declareBundles(client: BenchClient): Promise<void> {
  const crd = crdOf(Bundle);
  const body = { ...crd, metadata: { ...crd.metadata, labels: { [`${PREFIX}/is-parent-type`]: "true" } } };
  await client.send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", JSON.stringify(body));
}

/** Makes a parent, as kubectl wants to find it. Answers with what tells kubectl to use it. */
export async function createBundle(client: BenchClient, name: string): Promise<readonly string[]> {
  const id = createHash("sha256").update(`${name}..${Bundle.kind}.${Bundle.group}`).digest("base64url");
  const metadata = {
    name,
    labels: { [`${PREFIX}/id`]: `applyset-${id}-v1` },
    annotations: { [`${PREFIX}/tooling`]: "kubectl/v1", [`${PREFIX}/contains-group-kinds`]: "" },
  };
  const body = { apiVersion: "bench.levelset.dev/v1", kind: Bundle.kind, metadata, spec: {} };
  await client.send("POST", "/apis/bench.levelset.dev/v1/bundles", JSON.stringify(body));
  return ["--prune", `--applyset=bundles.bench.levelset.dev/${name}`];
}
