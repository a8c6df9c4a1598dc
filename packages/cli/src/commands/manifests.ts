import { relative, resolve } from "node:path";
import { InputError } from "@levelset/core";
import { InvalidArgumentError } from "commander";
import type { Command } from "commander";
import {
  baseFiles,
  dockerfile,
  dockerignore,
  findProject,
  imagePath,
  kustomization,
  projectName,
  writeOutput,
} from "../deploy/index.ts";
import type { BaseFile, OutputFile, Project } from "../deploy/index.ts";
import { loadProgram, resolveModuleFile } from "../process/index.ts";
import type { Program } from "../process/index.ts";
import { examples, parseName, parseNamespace, parseNamespaces } from "../options/index.ts";
import type { Shell } from "../terminal/index.ts";
import { formatYaml } from "../yaml/index.ts";

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

/** `levelset manifests FILE`: generates the manifests that run the operators of a file. */
export function addManifestsCommand(levelset: Command, shell: Shell): void {
  levelset
    .command("manifests")
    .argument("<file>", "TypeScript or JavaScript file with an operator as default export")
    .description("generate CRDs, RBAC, a Deployment and a Dockerfile for an operator")
    .option("--out <directory>", "directory for a kustomize base (default: print YAML)")
    .option("--name <name>", "name of the generated objects (default: from package.json)", parseName)
    .option("--namespace <name>", "namespace of the operator's pods (default: NAME-system)", parseNamespace)
    .option("--image <image>", "image of the operator (default: NAME:VERSION from package.json)", parseImage)
    .option("--replicas <number>", "number of pods; one is active, the others stand by", parseReplicas, 2)
    .option("--namespaces <names>", "namespaces to watch, with RBAC for these only (a,b,c)", parseNamespaces)
    .option("--install-crds", "let the operator install its CRDs, and grant it the RBAC to do so")
    .option("--force", "overwrite files in the directory that levelset did not write")
    .addHelpText(
      "after",
      examples(
        "levelset manifests simple.ts | kubectl apply -f -",
        "levelset manifests simple.ts --out deploy --image registry.example.com/simple:1.2.0",
      ),
    )
    .action(async (file: string, options: ManifestsOptions) => manifests(file, options, shell));
}

async function manifests(file: string, options: ManifestsOptions, shell: Shell): Promise<void> {
  const path = await resolveModuleFile(file, shell.cwd);
  const program = await loadProgram(file, shell.cwd);
  checkAllOperators(program);
  const project = await findProject(path);
  const name = options.name ?? projectName(project, path);
  const image = options.image ?? `${name}:${project?.version ?? "latest"}`;
  const base = baseFiles({
    operators: program.operators,
    name,
    namespace: options.namespace ?? `${name}-system`,
    image,
    file: imagePath(project?.root ?? shell.cwd, path),
    replicas: options.replicas,
    namespaces: options.namespaces ?? program.options.namespaces,
    installCrds: options.installCrds ?? program.options.installCrds ?? false,
  });
  if (options.out === undefined) return shell.stdout(formatYaml(base.flatMap(({ documents }) => documents)));
  if (project === undefined) {
    throw new InputError(`${file} is not in a package: cannot write a Dockerfile`, {
      hint: "run npm init to create a package.json, or omit --out to print the objects only",
    });
  }
  if (!project.hasCommand) {
    shell.stderr("levelset: warning: levelset is not in the dependencies of package.json, so the image will lack it\n");
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
    { path: "Dockerfile", text: dockerfile(project, imagePath(project.root, path)) },
    // Docker finds the ignore file by this name next to the Dockerfile, whatever the build context is.
    { path: "Dockerfile.dockerignore", text: dockerignore() },
  ];
  const { written, removed } = await writeOutput(directory, files, { force });
  const here = (path: string): string => relative(shell.cwd, path) || ".";
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

/** RBAC rules are derived from declarations, which only operators have. */
function checkAllOperators({ operators, others }: Program): void {
  const [other] = others;
  if (other !== undefined) throw new InputError(`${other.name} is not an operator: cannot derive its RBAC rules`);
  if (operators.length === 0) throw new InputError("the manager has no operators");
}

function parseImage(text: string): string {
  if (/^[\w.:/@-]+$/u.test(text)) return text;
  throw new InvalidArgumentError("write an image as NAME:TAG or NAME@DIGEST, without blanks.");
}

function parseReplicas(text: string): number {
  if (/^[1-9]\d{0,2}$/u.test(text)) return Number(text);
  throw new InvalidArgumentError("write a number from 1 to 999.");
}
