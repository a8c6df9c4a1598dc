import { createHash } from "node:crypto";
import { crdOf, kind, s } from "@levelset/core";
import type { BenchClient } from "../apiserver-client.ts";

const PREFIX = "applyset.kubernetes.io";

/**
 * The kind of ApplySet parents, in which kubectl records the applied objects (KEP-3659). Only a cluster-scoped parent
 * may have members in several namespaces; kubectl recognizes its CRD by a label.
 */
const Bundle = kind({
  group: "bench.levelset.dev",
  version: "v1",
  kind: "Bundle",
  scope: "Cluster",
  spec: s.object({}),
});

/** Installs the CRD of the parents. */
export async function installBundleCrd(client: BenchClient): Promise<void> {
  const crd = crdOf(Bundle);
  const body = { ...crd, metadata: { ...crd.metadata, labels: { [`${PREFIX}/is-parent-type`]: "true" } } };
  await client.send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", JSON.stringify(body));
}

/** Creates an ApplySet parent for kubectl (KEP-3659). Returns the arguments that select it. */
export async function createApplySetParent(client: BenchClient, name: string): Promise<readonly string[]> {
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
