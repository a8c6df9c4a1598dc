import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { InputError } from "@levelset/core";
import type { EndpointOptions, LeaderElection, ManagerOptions } from "@levelset/operator";
import { InvalidArgumentError, Option } from "commander";
import type { Command } from "commander";
import type { Program } from "./load.ts";
import { readTokenFile } from "./token-file.ts";

/** The flags about how operators are run, as read. */
export interface ManagerFlags {
  readonly leaderElect?: boolean;
  readonly leaderElectNamespace?: string;
  readonly leaderElectName?: string;
  readonly listen?: ListenAddress;
  readonly debugTokenFile?: string;
  readonly namespaces?: readonly string[];
  readonly grace?: number;
}

/** An address of this machine. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** How long runs may go on after the first Ctrl-C. */
const GRACE_SECONDS = 5;

/** Gives a command the flags about how operators are run. */
export function addManagerFlags(command: Command): Command {
  return addProcessFlags(
    command.option("--namespaces <names>", "work in these namespaces only (a,b,c)", parseNamespaces),
  );
}

/** The same, for operators that always work in the whole cluster. */
export function addProcessFlags(command: Command): Command {
  const implies = { leaderElect: true };
  return command
    .option("--leader-elect", "work only while holding a Lease, so that one of many does")
    .addOption(
      new Option(
        "--leader-elect-namespace <name>",
        "where the Lease is (default: the namespace of the pod or context)",
      ).implies(implies),
    )
    .addOption(
      new Option("--leader-elect-name <name>", "how the Lease is called (default: after the operators)").implies(
        implies,
      ),
    )
    .option("--listen <address>", "serve /healthz, /readyz, /metrics and /debug/runs at HOST:PORT", parseListen)
    .option("--debug-token-file <file>", "a file with the bearer token for /debug/runs; by default a new one is made")
    .option("--grace <seconds>", `how long runs may go on after Ctrl-C (default: ${GRACE_SECONDS})`, parseSeconds);
}

/** How to run a program: what its file says, and where given, what the flags say instead. */
export async function managerOptions(
  flags: ManagerFlags,
  about: { readonly program: Program; readonly namespace: string; readonly cwd: string },
): Promise<ManagerOptions> {
  const { program, namespace, cwd } = about;
  const { options } = program;
  const elected = flags.leaderElect === true ? leaderElection(flags, program, namespace) : options.leaderElection;
  const endpoints = await endpointsOf(flags, options.endpoints, cwd);
  return {
    ...options,
    graceMs: flags.grace === undefined ? (options.graceMs ?? GRACE_SECONDS * 1_000) : flags.grace * 1_000,
    ...(flags.namespaces === undefined ? {} : { namespaces: flags.namespaces }),
    ...(elected === undefined ? {} : { leaderElection: elected }),
    ...(endpoints === undefined ? {} : { endpoints }),
  };
}

function leaderElection(flags: ManagerFlags, { operators }: Program, namespace: string): LeaderElection {
  return {
    namespace: flags.leaderElectNamespace ?? namespace,
    name: flags.leaderElectName ?? ["levelset", ...operators.map(({ name }) => name)].join("-"),
    // A restarted process is another one: it must not take the lease of its predecessor for its own.
    identity: `${hostname()}_${randomUUID()}`,
  };
}

async function endpointsOf(
  { listen, debugTokenFile: file }: ManagerFlags,
  declared: EndpointOptions | undefined,
  cwd: string,
): Promise<EndpointOptions | undefined> {
  const token = file === undefined ? declared?.debugToken : await readTokenFile(file, cwd);
  if (listen !== undefined) return { ...listen, debugToken: token ?? randomUUID() };
  if (declared !== undefined) return token === undefined ? declared : { ...declared, debugToken: token };
  if (file === undefined) return undefined;
  throw new InputError("--debug-token-file without --listen: nothing would ask for the token");
}

/** Reads `HOST:PORT`, `[::1]:PORT`, `:PORT` or `PORT`; without a host, this machine alone can reach it. */
export function parseListen(text: string): ListenAddress {
  const { six, four, port } =
    /^(?:(?:\[(?<six>[\da-fA-F:.]+)\]|(?<four>[^:[\]\s]*)):)?(?<port>\d+)$/u.exec(text)?.groups ?? {};
  if (port === undefined || Number(port) > 65_535) {
    throw new InvalidArgumentError("an address is HOST:PORT, such as 127.0.0.1:8080 or [::1]:8080.");
  }
  return { host: six ?? (four === undefined || four === "" ? "127.0.0.1" : four), port: Number(port) };
}

/** Reads names of namespaces with commas between them. */
export function parseNamespaces(text: string): readonly string[] {
  const names = text.split(",").map((name) => name.trim());
  const wrong = names.find((name) => !isLabel(name));
  if (wrong === undefined) return [...new Set(names)];
  throw new InvalidArgumentError(`${JSON.stringify(wrong)} cannot be the name of a namespace.`);
}

/** Whether a text can name a namespace, and most other things: a DNS label. */
export function isLabel(text: string): boolean {
  return /^[a-z\d](?:[-a-z\d]{0,61}[a-z\d])?$/u.test(text);
}

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (/^\d+(?:\.\d+)?$/u.test(text) && seconds <= 3_600) return seconds;
  throw new InvalidArgumentError("a number of seconds from 0 to 3600.");
}
