import { readdir } from "node:fs/promises";
import type { SubcommandResult } from "../subcommand/subcommand.ts";

/** An example: `examples/NN-name/name.ts`. */
export interface Example {
  readonly name: string;
  readonly directory: string;
  /**
   * Operators have a `sample.yaml`. Adapters have none; they may have several configurations, each in its own
   * directory.
   */
  readonly of: { readonly kind: "operators" } | { readonly kind: "adapters"; readonly configured: readonly string[] };
}

/** The action for the command-line arguments. */
export type ExampleCommand =
  | { readonly kind: "run"; readonly args: readonly string[] }
  | Extract<SubcommandResult<string>, { readonly kind: "say" }>;

/** Returns the available examples in order. */
export async function listExamples(root: URL): Promise<readonly Example[]> {
  const entries = await readdir(root, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory() && /^\d\d-/u.test(entry.name));
  const examples = folders.map(async ({ name }): Promise<Example> => {
    const directory = `examples/${name}`;
    const inside = await readdir(new URL(`${name}/`, root), { withFileTypes: true });
    const configured = inside.filter((entry) => entry.isDirectory()).map((entry) => `${directory}/${entry.name}`);
    const hasSample = inside.some((entry) => entry.name === "sample.yaml");
    return { name: name.slice(3), directory, of: hasSample ? { kind: "operators" } : { kind: "adapters", configured } };
  });
  return (await Promise.all(examples)).toSorted((a, b) => (a.directory < b.directory ? -1 : 1));
}

/** Returns the `levelset` command of an example: `dev` on an embedded server, `run` on the cluster of a kubeconfig. */
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
  const onCluster = rest.some((arg) => arg === "--kubeconfig" || arg.startsWith("--kubeconfig="));
  if (example.of.kind === "adapters") {
    const adapters = [...example.of.configured, file].flatMap((path) => ["--adapters", path]);
    return { kind: "run", args: [...(onCluster ? ["fleet", "dev", "--memory"] : ["dev"]), ...adapters, ...rest] };
  }
  const sample = ["--apply", `${example.directory}/sample.yaml`];
  const command = onCluster ? ["run", file, ...sample, "--install-crds", "--live"] : ["dev", file, ...sample];
  return { kind: "run", args: [...command, ...rest] };
}
