import { readdir, stat } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { InputError, isJsonObject } from "@levelset/core";
import type { JsonValue } from "@levelset/core";
import type { Manifest } from "@levelset/simulation";
import { parseDocuments, readText } from "../yaml/index.ts";

/** Samples, and the files that they come from. */
export interface Samples {
  readonly files: readonly string[];
  readonly manifests: readonly Manifest[];
  /** Whether the user named the files. */
  readonly areGiven: boolean;
}

const YAML = /\.ya?ml$/u;

/**
 * Reads the samples of the named files. Without names it takes `sample.yaml`, `samples/*.yaml` or `config/samples/*.yaml`
 * beside the program or in the root of its project.
 */
export async function readSamples(
  named: readonly string[] | undefined,
  program: { readonly path: string; readonly root: string | undefined },
  cwd: string,
): Promise<Samples> {
  const files = named ?? (await findSampleFiles(program)).map((file) => relative(cwd, file));
  const manifests: Manifest[] = [];
  for (const file of files) {
    for (const { document, location } of parseDocuments(await readText(file, { cwd }), file)) {
      manifests.push(readManifest(document as JsonValue, location)); // YAML is read as JSON data
    }
  }
  return { files, manifests, areGiven: named !== undefined };
}

async function findSampleFiles({
  path,
  root,
}: {
  readonly path: string;
  readonly root: string | undefined;
}): Promise<readonly string[]> {
  const directories = [...new Set([dirname(path), ...(root === undefined ? [] : [root])])];
  for (const directory of directories) {
    const single = join(directory, "sample.yaml");
    if ((await stat(single).catch(() => undefined))?.isFile() === true) return [single];
    for (const folder of ["samples", join("config", "samples")]) {
      const names = await readdir(join(directory, folder)).catch(() => []); // the folder does not exist
      const files = names.filter((name) => YAML.test(name) && !name.startsWith("kustomization."));
      if (files.length > 0) return files.toSorted().map((name) => join(directory, folder, name));
    }
  }
  return [];
}

function readManifest(document: JsonValue, location: string): Manifest {
  if (!isJsonObject(document)) throw new InputError(`${location}: not an object`);
  const { apiVersion, kind, metadata, status: _s, ...fields } = document;
  if (typeof apiVersion !== "string" || typeof kind !== "string")
    throw new InputError(`${location}: apiVersion or kind is missing`);
  if (!isJsonObject(metadata) || typeof metadata["name"] !== "string")
    throw new InputError(`${location}: metadata.name is missing`);
  return { apiVersion, kind, metadata: { ...metadata, name: metadata["name"] }, ...fields };
}
