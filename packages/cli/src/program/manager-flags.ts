import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { InputError } from "@levelset/core";
import type { EndpointOptions, LeaderElection, ManagerOptions } from "@levelset/operator";
import { InvalidArgumentError, Option } from "commander";
import type { Command } from "commander";
import type { Program } from "../process/index.ts";
import { readTokenFile } from "../files/index.ts";
import { parseNamespaces } from "../options/index.ts";

/** Parsed manager flags. */
export interface ManagerFlags {
  readonly leaderElect?: boolean;
  readonly leaderElectNamespace?: string;
  readonly leaderElectName?: string;
  readonly listen?: ListenAddress;
  readonly debugTokenFile?: string;
  readonly namespaces?: readonly string[];
  readonly grace?: number;
  readonly qps?: number;
  readonly burst?: number;
}

/** An address to listen on. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** Grace period of runs after the first Ctrl-C. */
const GRACE_SECONDS = 5;

/** Adds the flags of the manager. */
export function addManagerFlags(command: Command): Command {
  return addProcessFlags(command.option("--namespaces <names>", "namespaces to watch (a,b,c)", parseNamespaces));
}

/** Adds the flags of the manager without `--namespaces`, for operators that always watch the whole cluster. */
export function addProcessFlags(command: Command): Command {
  const implies = { leaderElect: true };
  return command
    .option("--leader-elect", "reconcile only while holding a Lease (leader election)")
    .addOption(
      new Option(
        "--leader-elect-namespace <name>",
        "namespace of the Lease (default: that of the pod or context)",
      ).implies(implies),
    )
    .addOption(
      new Option("--leader-elect-name <name>", "name of the Lease (default: derived from the operators)").implies(
        implies,
      ),
    )
    .option("--listen <address>", "HOST:PORT to serve /healthz, /readyz, /metrics and /debug/runs on", parseListen)
    .option("--debug-token-file <file>", "file with the token for /debug/runs (default: generated)")
    .option(
      "--grace <seconds>",
      `seconds that runs may take to finish after Ctrl-C (default: ${GRACE_SECONDS})`,
      parseSeconds,
    )
    .option("--qps <number>", "requests per second to the API server (default: no limit)", parseQps)
    .option("--burst <number>", "requests that may be sent at once (default: twice --qps)", parseBurst)
    .addOption(new Option("--log-format <format>", "log format").choices(["text", "json"]).default("text"));
}

/** Returns the manager options of a file, overridden by flags. */
export async function managerOptions(
  flags: ManagerFlags,
  about: { readonly program: Program; readonly namespace: string; readonly cwd: string },
): Promise<ManagerOptions> {
  const { program, namespace, cwd } = about;
  const { options } = program;
  const elected = flags.leaderElect === true ? leaderElection(flags, program, namespace) : options.leaderElection;
  const endpoints = await endpointsOf(flags, options.endpoints, cwd);
  const { qps = options.qps, burst = options.burst } = flags;
  if (qps === undefined && flags.burst !== undefined) throw new InputError("--burst has no effect without --qps");
  return {
    ...options,
    graceMs: flags.grace === undefined ? (options.graceMs ?? GRACE_SECONDS * 1_000) : flags.grace * 1_000,
    ...(flags.namespaces === undefined ? {} : { namespaces: flags.namespaces }),
    ...(qps === undefined ? {} : { qps }),
    ...(burst === undefined ? {} : { burst }),
    ...(elected === undefined ? {} : { leaderElection: elected }),
    ...(endpoints === undefined ? {} : { endpoints }),
  };
}

function leaderElection(flags: ManagerFlags, { operators }: Program, namespace: string): LeaderElection {
  return {
    namespace: flags.leaderElectNamespace ?? namespace,
    name: flags.leaderElectName ?? ["levelset", ...operators.map(({ name }) => name)].join("-"),
    // Unique per process: a restarted process must not treat the Lease of its predecessor as its own.
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
  throw new InputError("--debug-token-file has no effect without --listen");
}

/** Parses `HOST:PORT`, `[::1]:PORT`, `:PORT` or `PORT`. Default host: loopback. */
export function parseListen(text: string): ListenAddress {
  const { six, four, port } =
    /^(?:(?:\[(?<six>[\da-fA-F:.]+)\]|(?<four>[^:[\]\s]*)):)?(?<port>\d+)$/u.exec(text)?.groups ?? {};
  if (port === undefined || Number(port) > 65_535) {
    throw new InvalidArgumentError("write HOST:PORT, such as 127.0.0.1:8080 or [::1]:8080.");
  }
  return { host: six ?? (four === undefined || four === "" ? "127.0.0.1" : four), port: Number(port) };
}

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (/^\d+(?:\.\d+)?$/u.test(text) && seconds <= 3_600) return seconds;
  throw new InvalidArgumentError("write a number of seconds from 0 to 3600.");
}

function parseQps(text: string): number {
  const qps = Number(text);
  if (/^\d+(?:\.\d+)?$/u.test(text) && qps >= 0.01) return qps;
  throw new InvalidArgumentError("write a number of requests per second of at least 0.01, such as 20.");
}

function parseBurst(text: string): number {
  const burst = Number(text);
  if (/^\d+$/u.test(text) && burst >= 1) return burst;
  throw new InvalidArgumentError("write a whole number of at least 1.");
}
