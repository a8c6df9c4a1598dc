import type { Choice } from "../tools/choice/choice.ts";
import type { Figure } from "./report.ts";

/** A benchmark: loaded when it runs. */
interface Bench extends Choice {
  readonly load: () => Promise<(args: readonly string[]) => Promise<readonly Figure[]>>;
}

const REAL = { "--real": "against kube-apiserver with etcd (npm run envtest builds them)" };

/** The benchmarks that there are. */
export const BENCHES = {
  apiserver: {
    about: "the embedded API server: start, reads, writes, watches",
    load: async () => (await import("./apiserver.ts")).apiserver,
  },
  cel: { about: "CEL beside two peers", load: async () => (await import("./cel.ts")).cel },
  console: {
    about: "the web console in Chromium: download, paint, turning, lists at scale",
    load: async () => (await import("./console.ts")).console,
  },
  fleet: {
    about: "a fleet's API, Sentinel and stores",
    options: { "--quick": "a tenth of it", "--sqlite": "only on SQLite", "--postgres": "only on PostgreSQL" },
    load: async () => (await import("./fleet.ts")).fleet,
  },
  operand: {
    about: "Operands beside kubectl apply --server-side",
    options: REAL,
    load: async () => (await import("./operand.ts")).operand,
  },
  runtime: {
    about: "our runtime beside its peers in TypeScript and Go",
    options: REAL,
    load: async () => (await import("./runtime.ts")).runtime,
  },
  startup: { about: "the time until a process is there", load: async () => (await import("./startup.ts")).startup },
} satisfies Readonly<Record<string, Bench>>;
