import type { Subcommand } from "../../tools/subcommand/subcommand.ts";

/** A conformance suite: loaded on demand, returns the exit code. */
interface Suite extends Subcommand {
  readonly load: () => Promise<(args: readonly string[]) => number | Promise<number>>;
}

/** All suites. */
export const SUITES = {
  cel: {
    about: "CEL, by the public suite; writes its page in docs/reference",
    load: async () => (await import("./cel/main.ts")).cel,
  },
  kubernetes: {
    about: "the API server, compared with kube-apiserver",
    options: {
      "--target ours|real|both": "which servers (default: both)",
      "--filter TEXT": "only cases whose id contains TEXT",
      "--kubectl all|newest": "kubectl versions (default: all that are found)",
      "--write": "write the page in docs/reference; needs all cases",
    },
    load: async () => (await import("./kubernetes/main.ts")).kubernetes,
  },
} satisfies Readonly<Record<string, Suite>>;
