/**
 * Allowed imports between packages and between folders: the two tables that the tidy test reads. Add a new package or
 * folder here, so that the dependencies of ARCHITECTURE.md keep one direction.
 */

/** A package and the packages that it may import. */
export interface PackageRule {
  /** Its folder below `packages/`. */
  readonly folder: string;
  /** Its name on npm. */
  readonly name: string;
  /** Names of our packages, or of single entries of them, that its code may import. */
  readonly mayImport: readonly string[];
  /** Whether it must also run without Node. */
  readonly isomorphic: boolean;
  /** Folders below `src` of an isomorphic package that need Node: entries of their own, which the rest never imports. */
  readonly nodeFolders?: readonly string[];
  /** Additional imports of its tests: all packages of the repository, or only itself. */
  readonly tests: "any of ours" | "only itself";
}

const CORE = "@levelset/core";
const OPERATOR = "@levelset/operator";
const APISERVER = "@levelset/apiserver";
const SIMULATION = "@levelset/simulation";
const FLEET = "@levelset/fleet";
const CONSOLE = "@levelset/console";

/** Allowed imports between packages. */
export const PACKAGES: readonly PackageRule[] = [
  { folder: "core", name: CORE, mayImport: [], isomorphic: true, nodeFolders: ["http"], tests: "only itself" },
  { folder: "operator", name: OPERATOR, mayImport: [CORE], isomorphic: false, tests: "any of ours" },
  { folder: "apiserver", name: APISERVER, mayImport: [CORE], isomorphic: false, tests: "any of ours" },
  {
    folder: "simulation",
    name: SIMULATION,
    mayImport: [OPERATOR, APISERVER, CORE],
    isomorphic: false,
    tests: "any of ours",
  },
  { folder: "fleet", name: FLEET, mayImport: [OPERATOR, CORE], isomorphic: false, tests: "any of ours" },
  {
    folder: "console",
    name: CONSOLE,
    mayImport: [OPERATOR, `${FLEET}/client`, CORE],
    isomorphic: false,
    tests: "any of ours",
  },
  {
    folder: "cli",
    name: "levelset",
    mayImport: [CONSOLE, FLEET, SIMULATION, APISERVER, OPERATOR, CORE],
    isomorphic: false,
    tests: "any of ours",
  },
];

/** Production code that may import a `/testing` entry. */
export const TESTING_EXCEPTIONS: readonly { readonly under: string; readonly entry: string }[] = [
  { under: "packages/apiserver/src/testing/", entry: `${CORE}/testing` },
  // A simulation is a test: virtual clock, seeded random numbers, faults.
  { under: "packages/simulation/src/", entry: `${CORE}/testing` },
  // A plan runs an operator on a copy of a cluster, ahead of time and reproducibly: the virtual clock and seeded numbers.
  { under: "packages/cli/src/plan/", entry: `${CORE}/testing` },
];

/** Code that is bundled with its dependencies, which are therefore development dependencies. */
export const BUNDLED_SOURCES = "packages/console/src/web/";

/** Libraries that tests may import without a dependency of the package. */
export const TEST_LIBRARIES: readonly string[] = ["vitest", "fast-check", "zod", "@opentelemetry/sdk-trace-base"];

/** Stands for the files directly in the folder. */
export const ROOT_FILES = ".";

/** The layers inside a package, or inside one of its folders. */
export interface LayerRule {
  /** Files beside the folders that may import every folder, and that no folder imports. */
  readonly entryFiles: readonly string[];
  /** Bottom-up. A folder may import all folders of earlier rows, and none of its own row. */
  readonly layers: readonly (readonly string[])[];
}

/** package folder → its layers. */
export const LAYERS: Readonly<Record<string, LayerRule>> = {
  core: {
    entryFiles: ["index.ts", "schema.ts", "cel.ts", "apply.ts", "internal.ts"],
    layers: [
      ["json"],
      ["error", "selector", "patch", "jsonpath", "time", "log", "redaction", "text"],
      ["async", "quantity", "net", "format", "object"],
      ["cel", "condition", "cron"],
      ["readiness-rule"],
      ["schema"],
      ["kind"],
      ["kubernetes"],
      ["apply", "strategic-patch", "readiness"],
      ["world"],
      ["testing", "http"],
    ],
  },
  operator: {
    entryFiles: ["index.ts", "internal.ts"],
    layers: [
      ["queue"],
      ["watch"],
      ["client"],
      ["cache", "leader", "apply"],
      ["engine"],
      ["controller", "events"],
      ["manager"],
      ["steps", "explain"],
      ["operand"],
    ],
  },
  apiserver: {
    entryFiles: ["index.ts"],
    layers: [
      ["store", "api-types"],
      ["auth"],
      ["resource"],
      ["kinds"],
      ["protobuf", "registry"],
      ["controllers"],
      ["http"],
      ["server"],
      ["testing"],
    ],
  },
  simulation: {
    entryFiles: ["index.ts", "internal.ts"],
    layers: [
      ["draw", "violation", "subject"],
      ["history", "fault"],
      ["world"],
      ["oracle"],
      ["run"],
      ["story"],
      ["campaign"],
    ],
  },
  fleet: {
    entryFiles: ["index.ts", "adapter.ts", "model.ts", "server.ts", "internal.ts"],
    layers: [
      ["resource"],
      ["search"],
      ["store", "broker"],
      ["service", "client"],
      ["api"],
      ["sentinel", "adapter"],
      ["config"],
    ],
  },
  console: {
    entryFiles: ["index.ts", "start-console.ts"],
    layers: [["api"], ["server", "web"]],
  },
  cli: {
    entryFiles: ["main.ts"],
    layers: [
      ["terminal", "files", "options"],
      ["yaml", "process"],
      ["cluster", "fleet-location"],
      ["apiserver", "program", "explain", "wait", "project", "deploy", "simulate"],
      ["operand", "fleet"],
      ["console", "fleet-server", "plan"],
      ["commands"],
    ],
  },
};

/**
 * package folder `/` folder of its `src` → the layers inside that folder, where files of lower folders are imported
 * directly.
 */
export const INNER_LAYERS: Readonly<Record<string, LayerRule>> = {
  "operator/engine": { entryFiles: ["index.ts"], layers: [["step"], [ROOT_FILES]] },
  "operator/steps": {
    entryFiles: ["index.ts"],
    layers: [[ROOT_FILES], ["child", "input", "external"], ["job", "dependency", "subresource"]],
  },
  "operator/operand": {
    entryFiles: ["index.ts", "operators.ts", "operand-step.ts"],
    layers: [["spec"], ["inventory"], ["prune"], ["apply"], ["plan", "revision"]],
  },
};
