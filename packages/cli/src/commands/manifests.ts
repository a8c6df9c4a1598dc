import { relative, resolve } from "node:path";
import { InputError } from "@levelset/core";
import { InvalidArgumentError } from "commander";
import type { Command } from "commander";
import {
  baseFiles,
  dockerfile,
  dockerignore,
  findProject,
  kustomization,
  NAME_MAX,
  nameOf,
  pathBelow,
  writeOutput,
} from "../deploy/index.ts";
import type { BaseFile, OutputFile, Project } from "../deploy/index.ts";
import { loadable, loadProgram } from "../load.ts";
import type { Program } from "../load.ts";
import { isLabel, parseNamespaces } from "../manager-flags.ts";
import type { Shell } from "../shell.ts";
import { formatYaml } from "../yaml.ts";

interface ManifestsOptions {
  readonly name?: string;
  readonly namespace?: string;
  readonly image?: string;
  readonly replicas: number;
  readonly namespaces?: readonly string[];
  readonly installCrds?: boolean;
  readonly out?: string;
  readonly force?: boolean;
}

/** `levelset manifests FILE`: what a cluster needs to run the operators of a file. */
export function addManifestsCommand(levelset: Command, shell: Shell): void {
  levelset
    .command("manifests")
    .argument("<file>", "TypeScript or JavaScript file that exports an operator by default")
    .description("write what a cluster needs to run an operator: CRDs, roles, a Deployment, an image's Dockerfile")
    .option("--out <directory>", "write a kustomize base there, instead of printing YAML")
    .option("--name <name>", "how everything is called (default: after package.json)", parseName)
    .option("--namespace <name>", "where the operator's pods are (default: NAME-system)", parseNamespace)
    .option("--image <image>", "the operator's image (default: NAME:VERSION after package.json)", parseImage)
    .option("--replicas <number>", "how many pods there are, of which one works", parseReplicas, 2)
    .option("--namespaces <names>", "work in these namespaces only, with rights in no other (a,b,c)", parseNamespaces)
    .option("--install-crds", "let the operator install its CRDs itself, with the rights for it")
    .option("--force", "replace files in the directory that levelset did not write")
    .action(async (file: string, options: ManifestsOptions) => manifests(file, options, shell));
}

async function manifests(file: string, options: ManifestsOptions, shell: Shell): Promise<void> {
  const path = await loadable(file, shell.cwd);
  const program = await loadProgram(file, shell.cwd);
  checkAllOperators(program);
  const project = await findProject(path);
  const name = options.name ?? nameOf(project, path);
  const image = options.image ?? `${name}:${project?.version ?? "latest"}`;
  const base = baseFiles({
    operators: program.operators,
    name,
    namespace: options.namespace ?? `${name}-system`,
    image,
    file: pathBelow(project?.root ?? shell.cwd, path),
    replicas: options.replicas,
    namespaces: options.namespaces ?? program.options.namespaces,
    installCrds: options.installCrds ?? program.options.installCrds ?? false,
  });
  if (options.out === undefined) return shell.stdout(formatYaml(base.flatMap(({ documents }) => documents)));
  if (project === undefined) {
    throw new InputError(`${file} is in no package, so no image can be made of it`, {
      hint: "npm init makes a package.json; without --out only the objects are printed",
    });
  }
  if (!project.hasCommand) {
    shell.stderr(
      "levelset: warning: package.json does not have levelset among its dependencies, so the image will not either\n",
    );
  }
  await writeBase(resolve(shell.cwd, options.out), base, { ...options, project, path, image }, shell);
}

async function writeBase(
  directory: string,
  base: readonly BaseFile[],
  about: { readonly project: Project; readonly path: string; readonly image: string; readonly force?: boolean },
  shell: Shell,
): Promise<void> {
  const { project, path, image, force = false } = about;
  const files: readonly OutputFile[] = [
    ...[...base, kustomization(base)].map((file) => ({ path: file.path, text: formatYaml(file.documents) })),
    { path: "Dockerfile", text: dockerfile(project, pathBelow(project.root, path)) },
    // Found beside the Dockerfile by this name, whatever the context is.
    { path: "Dockerfile.dockerignore", text: dockerignore() },
  ];
  const { written, removed } = await writeOutput(directory, files, { force });
  const here = (place: string): string => relative(shell.cwd, place) || ".";
  const out = here(directory);
  shell.stdout(
    [
      ...written.map((file) => `wrote    ${out}/${file}`),
      ...removed.map((file) => `removed  ${out}/${file}`),
      "",
      "Next:",
      `  docker build -f ${out}/Dockerfile -t ${image} ${here(project.root)}`,
      `  kubectl apply -k ${out}`,
      "",
    ].join("\n"),
  );
}

/** Rights follow from declarations, and only operators have them. */
function checkAllOperators({ operators, others }: Program): void {
  const [other] = others;
  if (other !== undefined) throw new InputError(`${other.name} is not an operator, so its rights cannot be derived`);
  if (operators.length === 0) throw new InputError("the manager has no operators");
}

/** Reads how a project, and all that a cluster has of it, is called. */
export function parseName(text: string): string {
  if (isLabel(text) && text.length <= NAME_MAX) return text;
  throw new InvalidArgumentError(`a name has lower case letters, digits and dashes, at most ${NAME_MAX}.`);
}

function parseNamespace(text: string): string {
  if (isLabel(text)) return text;
  throw new InvalidArgumentError("it cannot be the name of a namespace.");
}

function parseImage(text: string): string {
  if (/^[\w.:/@-]+$/u.test(text)) return text;
  throw new InvalidArgumentError("an image is NAME:TAG or NAME@DIGEST, without blanks.");
}

function parseReplicas(text: string): number {
  if (/^[1-9]\d{0,2}$/u.test(text)) return Number(text);
  throw new InvalidArgumentError("a number from 1 to 999.");
}
