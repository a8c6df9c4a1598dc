/**
 * Who may import whom: the two tables that the tidy test reads. To add a package or a folder, add it here, in the place that
 * keeps the arrows of ARCHITECTURE.md pointing one way.
 */

/** A package and the ones it may import. */
export interface PackageRule {
  /** Its folder below `packages/`. */
  readonly folder: string;
  /** Its name on npm. */
  readonly name: string;
  /** Names of our packages, or of single entries of them, that its code may import. */
  readonly mayImport: readonly string[];
  /** Whether it must run outside of Node too. */
  readonly isomorphic: boolean;
  /** What tests may import beyond what code may: any of our packages, or only this one. */
  readonly tests: "any of ours" | "only itself";
}

const CORE = "@levelset/core";
const OPERATOR = "@levelset/operator";
const APISERVER = "@levelset/apiserver";
const FLEET = "@levelset/fleet";
const CONSOLE = "@levelset/console";

/** Direction between packages. */
export const PACKAGES: readonly PackageRule[] = [
  { folder: "core", name: CORE, mayImport: [], isomorphic: true, tests: "only itself" },
  { folder: "operator", name: OPERATOR, mayImport: [CORE], isomorphic: false, tests: "any of ours" },
  { folder: "apiserver", name: APISERVER, mayImport: [CORE], isomorphic: false, tests: "any of ours" },
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
    mayImport: [CONSOLE, FLEET, APISERVER, OPERATOR, CORE],
    isomorphic: false,
    tests: "any of ours",
  },
];

/** Code that is no test and may import a `/testing` entry nevertheless. */
export const TESTING_EXCEPTIONS: readonly { readonly under: string; readonly entry: string }[] = [
  { under: "packages/apiserver/src/testing/", entry: `${CORE}/testing` },
];

/** Code that is built into one script with all that it imports: users install none of that, so it is for development only. */
export const BUILT_WHOLE = "packages/console/src/web/";

/** What tests in packages may import without the package depending on it. */
export const TEST_LIBRARIES: readonly string[] = ["vitest", "fast-check", "zod", "@opentelemetry/sdk-trace-base"];

/** Stands for the files that are directly in `src`. */
export const LOOSE_FILES = ".";

/** The order inside of a package. */
export interface LayerRule {
  /** Files directly in `src` that may import every folder, and that no folder imports. */
  readonly tops: readonly string[];
  /** From the bottom up. A folder may import all folders of earlier rows, and none of its own row. */
  readonly rows: readonly (readonly string[])[];
}

/** The layers of each package, by its folder. */
export const LAYERS: Readonly<Record<string, LayerRule>> = {
  core: {
    tops: ["index.ts"],
    rows: [
      ["json"],
      ["error", "selector", "patch", "jsonpath", "time", "log"],
      ["quantity", "net", "format", "object"],
      ["cel", "condition"],
      ["readiness"],
      ["schema"],
      ["kind"],
      ["builtin"],
      ["apply", "strategic"],
      ["world"],
      ["testing"],
    ],
  },
  operator: {
    tops: ["index.ts"],
    rows: [
      ["queue", "port"],
      ["watch"],
      ["client"],
      ["cache", "leader", "apply"],
      ["step"],
      ["controller", "events"],
      ["manager"],
      ["steps", "explain"],
      ["operand"],
    ],
  },
  apiserver: {
    tops: ["index.ts"],
    rows: [["store", "protobuf"], ["registry"], ["controllers"], ["http"], ["server"], ["testing"]],
  },
  fleet: {
    tops: ["index.ts"],
    rows: [
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
    tops: ["index.ts", "main.ts"],
    rows: [["api"], ["server", "web"]],
  },
  cli: {
    tops: ["index.ts", "main.ts"],
    rows: [[LOOSE_FILES], ["wait"], ["deploy", "init", "operand", "fleet"], ["fleet-server"], ["commands"]],
  },
};
