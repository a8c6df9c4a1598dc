import type { Choice } from "../../tools/choice/choice.ts";

/** A conformance suite: loaded when it runs, it answers with the exit code. */
interface Suite extends Choice {
  readonly load: () => Promise<(args: readonly string[]) => number | Promise<number>>;
}

/** The suites that there are. */
export const SUITES = {
  cel: {
    about: "CEL, by the public suite; writes its page in docs/reference",
    load: async () => (await import("./cel/main.ts")).cel,
  },
  kubernetes: {
    about: "the API server, and a real kube-apiserver beside it",
    options: {
      "--target ours|real|both": "which servers (default: both)",
      "--filter TEXT": "only cases whose id contains it",
      "--kubectl all|newest": "with which kubectls (default: all that are found)",
      "--write": "write the page in docs/reference; needs all of it",
    },
    load: async () => (await import("./kubernetes/main.ts")).kubernetes,
  },
} satisfies Readonly<Record<string, Suite>>;
