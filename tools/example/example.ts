import { readdir } from "node:fs/promises";

/** An example operator: `examples/NN-name/name.ts` with a `sample.yaml` beside it. */
export interface Example {
  readonly name: string;
  readonly directory: string;
}

/** What to do about the words on the command line. */
export type ExampleCommand =
  | { readonly kind: "run"; readonly args: readonly string[] }
  | { readonly kind: "say"; readonly lines: readonly string[]; readonly code: 0 | 2 };

/** The examples that are there, in their order. */
export async function listExamples(root: URL): Promise<readonly Example[]> {
  const entries = await readdir(root, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory() && /^\d\d-/u.test(entry.name))
    .map((entry) => ({ name: entry.name.slice(3), directory: `examples/${entry.name}` }))
    .toSorted((a, b) => (a.directory < b.directory ? -1 : 1));
}

/** The `levelset` command of an example: `dev` on an embedded server, `run` where a kubeconfig names a cluster. */
export function exampleCommand(argv: readonly string[], examples: readonly Example[]): ExampleCommand {
  const [name, ...rest] = argv;
  const names = examples.map((example) => example.name).join(", ");
  const usage = ["npm run example -- NAME [--kubeconfig FILE]", `examples: ${names}`];
  if (name === "--help" || name === "-h") return { kind: "say", lines: usage, code: 0 };
  if (name === undefined) return { kind: "say", lines: ["example: which one?", `hint: ${names}`], code: 2 };
  const example = examples.find((candidate) => candidate.name === name || candidate.directory === `examples/${name}`);
  if (example === undefined) {
    return { kind: "say", lines: [`example: there is no example ${name}`, `hint: ${names}`], code: 2 };
  }
  const file = `${example.directory}/${example.name}.ts`;
  const sample = ["--apply", `${example.directory}/sample.yaml`];
  const onCluster = rest.some((arg) => arg === "--kubeconfig" || arg.startsWith("--kubeconfig="));
  const command = onCluster ? ["run", file, ...sample, "--install-crds", "--live"] : ["dev", file, ...sample];
  return { kind: "run", args: [...command, ...rest] };
}
