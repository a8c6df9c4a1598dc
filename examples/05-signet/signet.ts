import { readdirSync, readFileSync } from "node:fs";
import { kind, s } from "@levelset/core";
import type { EmbeddedObject } from "@levelset/core";
import { manager, operand, operandOperators, operator } from "@levelset/operator";
import { loadAll } from "js-yaml";

/** The Signet version of a cluster. The directory with the name of the version has its manifests. */
export const Signet = kind({
  group: "examples.levelset.dev",
  version: "v1beta1",
  kind: "Signet",
  plural: "signets",
  scope: "Cluster",
  spec: s.object({
    version: s.enum("v1", "v2"),
    tag: s
      .string()
      .pattern("^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$")
      .optional()
      .describe("Replaces the tag of every image."),
  }),
  status: s.object({ installed: s.string().optional(), objects: s.int32().optional() }),
  columns: { Installed: ".status.installed", Objects: ".status.objects" },
});

/** Returns the manifests of a version. */
export function release(version: string): readonly EmbeddedObject[] {
  const directory = new URL(`${version}/`, import.meta.url);
  const files = readdirSync(directory).toSorted();
  // The server validates them and reports the index of an invalid manifest.
  return files.flatMap((file) => loadAll(readFileSync(new URL(file, directory), "utf8")) as readonly EmbeddedObject[]);
}

const RELEASES = { v1: release("v1"), v2: release("v2") };

/** Returns the manifests with another tag for every image. */
function retagged(objects: readonly EmbeddedObject[], tag: string): readonly EmbeddedObject[] {
  const text = JSON.stringify(objects).replaceAll(/("image":"[^"]+):[^":]+"/gu, `$1:${tag}"`);
  return JSON.parse(text) as readonly EmbeddedObject[]; // serialized from manifests above
}

const software = operand(Signet, "Software", {
  condition: "SoftwareReady",
  name: () => "signet",
  steadyState: ({ spec }) =>
    spec.tag === undefined ? RELEASES[spec.version] : retagged(RELEASES[spec.version], spec.tag),
  status: (req, { status }) => {
    req.status.installed = req.spec.version;
    req.status.objects = status?.counts?.total;
  },
});

export default manager([operator(Signet, [software]), ...operandOperators()]);
