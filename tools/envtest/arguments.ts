/** The parsed command line. */
export type EnvtestCommand =
  | { readonly kind: "build" }
  | { readonly kind: "where" }
  | { readonly kind: "run"; readonly controllerManager: boolean }
  | { readonly kind: "help" }
  | { readonly kind: "unknown"; readonly line: string };

export const HELP = `A real etcd, kube-apiserver, kube-controller-manager and kubectl for tests.

  node tools/envtest/main.ts [build]       builds them into the cache if missing, and prints the directory
  node tools/envtest/main.ts where         prints their directory; exit code 1 if missing
  node tools/envtest/main.ts run [--bare]  starts a cluster and waits for Ctrl-C; --bare: without the controller manager
  node tools/envtest/main.ts --help        this text

KUBEBUILDER_ASSETS, if set, is the directory that \`where\` and \`run\` use.
`;

const ORDERS: Readonly<Record<string, EnvtestCommand>> = {
  "": { kind: "build" },
  build: { kind: "build" },
  where: { kind: "where" },
  run: { kind: "run", controllerManager: true },
  "run --bare": { kind: "run", controllerManager: false },
};

/** Parses the arguments after the file name. */
export function parseArguments(words: readonly string[]): EnvtestCommand {
  if (words.some((word) => word === "--help" || word === "-h")) return { kind: "help" };
  const text = words.join(" ");
  const order = Object.hasOwn(ORDERS, text) ? ORDERS[text] : undefined;
  return order ?? { kind: "unknown", line: `envtest: unknown command "${text}"; try --help` };
}
