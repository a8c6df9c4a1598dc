import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tempDirectoryInRepository } from "../../support/temp-directory.ts";
import type { TempDirectory } from "../../support/temp-directory.ts";

/** Remembers in the process which objects it has written. */
export const BUGGY = "if (written.has(object.metadata.uid)) return ok();";
export const FIXED = "";

const KIND = `
  import { kind, s } from "@levelset/core";
  import { ok, operator, step } from "@levelset/operator";
  const Note = kind({
    group: "simulate.levelset.dev",
    version: "v1",
    kind: "Note",
    spec: s.object({ text: s.string() }),
    status: s.object({ text: s.string().optional() }),
  });
`;

const SAMPLE = `
apiVersion: simulate.levelset.dev/v1
kind: Note
metadata: { name: a }
spec: { text: hello }
`;

/** Returns a program whose step runs the statements of `body`. */
export function program(body: string, exported = "() => { const written = new Set<string>(); return BODY; }"): string {
  const operator = `operator(Note, [step(Note, "Write", { do: async ({ object, spec, status }) => {
    ${body}
    written.add(object.metadata.uid);
    status.text = spec.text;
    return ok();
  } })])`;
  return `${KIND}\nexport default ${exported.replace("BODY", operator)};\n`;
}

/** Creates a project with a program in `operator.ts` and a sample. */
export async function simulationProject(source: string): Promise<TempDirectory> {
  const directory = await tempDirectoryInRepository();
  await writeFile(join(directory.path, "package.json"), '{"type": "module"}');
  await writeFile(join(directory.path, "sample.yaml"), SAMPLE);
  await writeFile(join(directory.path, "operator.ts"), source);
  return directory;
}
