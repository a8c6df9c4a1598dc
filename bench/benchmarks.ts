import type { Subcommand } from "../tools/subcommand/subcommand.ts";
import type { Measurement } from "./report.ts";

/** A benchmark: loaded when it runs. */
interface Bench extends Subcommand {
  readonly load: () => Promise<(args: readonly string[]) => Promise<readonly Measurement[]>>;
}

const REAL = { "--real": "against kube-apiserver with etcd (npm run envtest builds them)" };

/** All benchmarks. */
export const BENCHMARKS = {
  apiserver: {
    about: "the embedded API server: start, reads, writes, watches",
    load: async () => (await import("./apiserver.ts")).apiserver,
  },
  cel: { about: "CEL compared with two other implementations", load: async () => (await import("./cel.ts")).cel },
  console: {
    about: "the web console in Chromium: download, paint, updates, large lists",
    load: async () => (await import("./console.ts")).console,
  },
  fleet: {
    about: "a fleet's API, Sentinel and stores",
    options: { "--quick": "a tenth of the load", "--sqlite": "only on SQLite", "--postgres": "only on PostgreSQL" },
    load: async () => (await import("./fleet.ts")).fleet,
  },
  http: {
    about: "the HTTP server: CPU time per request",
    options: { "--hono DIRECTORY": "also Hono and @hono/node-server, installed in that directory" },
    load: async () => (await import("./http.ts")).http,
  },
  operand: {
    about: "Operands compared with kubectl apply --server-side",
    options: REAL,
    load: async () => (await import("./operand.ts")).operand,
  },
  runtime: {
    about: "the runtime compared with others in TypeScript and Go",
    options: REAL,
    load: async () => (await import("./runtime.ts")).runtime,
  },
  simulate: {
    about: "the simulation of operators: histories per second and core",
    load: async () => (await import("./simulate.ts")).simulate,
  },
  startup: { about: "the start-up time of processes", load: async () => (await import("./startup.ts")).startup },
} satisfies Readonly<Record<string, Bench>>;
