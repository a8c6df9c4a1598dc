import { EnvtestError } from "./errors.ts";

/** The parts of Kubernetes' go.mod that a build needs. */
export interface KubernetesModule {
  /** The release, for instance `v1.36.3`. */
  readonly version: string;
  /** The Go release it is written for, for instance `1.26.0`. */
  readonly go: string;
  /** Runtime defaults it is built with: a main module must repeat them, they are not inherited. */
  readonly godebug: readonly string[];
  /** Modules that live in its tree and are published separately under the same number. */
  readonly staging: readonly string[];
  /** The etcd release it is tested with. */
  readonly etcd: string;
}

/** Reads the output of `go mod edit -json` on Kubernetes' go.mod. */
export function parseKubernetesModule(version: string, json: string): KubernetesModule {
  const file = record(JSON.parse(json));
  const go = file["Go"];
  if (typeof go !== "string") throw new EnvtestError(`The go.mod of Kubernetes ${version} names no Go version.`);
  const required = new Map(records(file["Require"]).map((line) => [String(line["Path"]), String(line["Version"])]));
  const etcd = required.get("go.etcd.io/etcd/server/v3") ?? required.get("go.etcd.io/etcd/client/v3");
  if (etcd === undefined) throw new EnvtestError(`The go.mod of Kubernetes ${version} names no etcd version.`);
  return {
    version,
    go,
    godebug: records(file["GoDebug"]).map((line) => `${String(line["Key"])}=${String(line["Value"])}`),
    staging: records(file["Replace"])
      .filter(isStaging)
      .map((line) => String(record(line["Old"])["Path"])),
    etcd,
  };
}

/** A go.mod from which `go build` can make the commands of Kubernetes and etcd. */
export function goModFor(kubernetes: KubernetesModule): string {
  const staging = stagingVersion(kubernetes.version);
  return [
    "module envtest.invalid/build",
    "",
    `go ${kubernetes.go}`,
    "",
    ...kubernetes.godebug.map((setting) => `godebug ${setting}`),
    "",
    `require k8s.io/kubernetes ${kubernetes.version}`,
    `require go.etcd.io/etcd/server/v3 ${kubernetes.etcd}`,
    "",
    ...kubernetes.staging.map((path) => `replace ${path} => ${path} ${staging}`),
    "",
  ].join("\n");
}

/** Returns the linker variables of the upstream build, so that `/version` and `--version` are correct. */
export function versionFlags(options: { version: string; builtAt: string }): string {
  const [major, minor] = options.version.replace(/^v/, "").split(".");
  const values = {
    gitVersion: options.version,
    gitMajor: major ?? "",
    gitMinor: minor ?? "",
    gitTreeState: "clean",
    buildDate: options.builtAt,
  };
  const packages = ["k8s.io/component-base/version", "k8s.io/client-go/pkg/version"];
  return packages
    .flatMap((path) => Object.entries(values).map(([key, value]) => `-X ${path}.${key}=${value}`))
    .join(" ");
}

/** Whether Go `have` (as in `go1.26.8`) can build a module that asks for `want` (as in `1.26.0`). */
export function goSatisfies(have: string, want: string): boolean {
  const left = numbers(have);
  const right = numbers(want);
  for (const [index, desired] of right.entries()) {
    const difference = (left[index] ?? 0) - desired;
    if (difference !== 0) return difference > 0;
  }
  return true;
}

/** Kubernetes v1.36.3 is published in parts as v0.36.3. */
function stagingVersion(version: string): string {
  return version.replace(/^v1\./, "v0.");
}

function isStaging(replace: Readonly<Record<string, unknown>>): boolean {
  return String(record(replace["New"])["Path"]).startsWith("./staging/");
}

function numbers(version: string): number[] {
  return (/\d+(\.\d+)*/.exec(version)?.[0] ?? "").split(".").map(Number);
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) throw new EnvtestError("The go tool printed unexpected JSON.");
  return { ...value };
}

function records(value: unknown): Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.map(record) : [];
}
