import { Deadline, InputError, isJsonObject, parseJson } from "@levelset/core";
import type { Clock } from "@levelset/core";
import type { Credential, Credentials } from "./access.ts";

/** A program that hands out credentials, as a kubeconfig declares it. */
export interface ExecPlugin {
  readonly command: string;
  readonly args: readonly string[];
  readonly apiVersion: string;
  /** The environment of the program: ours and what the kubeconfig adds. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What to tell people who lack the program. */
  readonly installHint?: string;
  /** Told to the program where the kubeconfig says so. */
  readonly cluster?: Readonly<Record<string, unknown>>;
}

/** Plugins are asked again this long before a credential expires, while the old one still works. */
const EARLY_MS = 60_000;
const PLUGIN_TIMEOUT_MS = 60_000;
const OUTPUT_MAX_BYTES = 1024 * 1024;

interface Issued {
  readonly credential: Credential;
  /** Undefined: for as long as the process lives. */
  readonly expiry: Deadline | undefined;
}

/**
 * Credentials from a program. It runs once however many requests wait for it, its answer is kept until shortly before it expires,
 * and is renewed in the background while it still works, so no request waits for a routine renewal.
 */
export class ExecCredentials implements Credentials {
  readonly #plugin: ExecPlugin;
  readonly #clock: Clock;
  #issued: Issued | undefined;
  #running: Promise<Issued> | undefined;

  constructor(options: { readonly plugin: ExecPlugin; readonly clock: Clock }) {
    this.#plugin = options.plugin;
    this.#clock = options.clock;
  }

  async current(): Promise<Credential> {
    const issued = this.#issued;
    const leftMs = issued === undefined ? 0 : (issued.expiry?.leftMs ?? Number.POSITIVE_INFINITY);
    if (issued === undefined || leftMs <= 0) return (await this.#renew()).credential;
    if (leftMs <= EARLY_MS) {
      // Who asks later, when the old one is over, meets the failure again and hears of it.
      this.#renew().catch(() => {});
    }
    return issued.credential;
  }

  reject(credential: Credential): void {
    if (this.#issued?.credential === credential) this.#issued = undefined;
  }

  #renew(): Promise<Issued> {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #run(): Promise<Issued> {
    this.#issued = readCredential(this.#plugin, await output(this.#plugin), this.#clock);
    return this.#issued;
  }
}

async function output(plugin: ExecPlugin): Promise<string> {
  const { execFile } = await import("node:child_process");
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const info = {
    kind: "ExecCredential",
    apiVersion: plugin.apiVersion,
    spec: { interactive: false, ...(plugin.cluster === undefined ? {} : { cluster: plugin.cluster }) },
  };
  const options = {
    env: { ...plugin.env, KUBERNETES_EXEC_INFO: JSON.stringify(info) },
    timeout: PLUGIN_TIMEOUT_MS,
    maxBuffer: OUTPUT_MAX_BYTES,
  };
  const child = execFile(plugin.command, plugin.args, options, (error, stdout, stderr) => {
    if (error === null) resolve(stdout);
    else reject(pluginFailure(plugin, error, stderr));
  });
  child.stdin?.end();
  return promise;
}

function pluginFailure(
  plugin: ExecPlugin,
  error: { readonly code?: string | number | null | undefined; readonly killed?: boolean | undefined },
  stderr: string,
): InputError {
  const name = `the credential plugin ${plugin.command}`;
  if (error.code === "ENOENT") {
    const hint = plugin.installHint ?? "install it, or use a context with a certificate or a token";
    return new InputError(`${name} is not installed`, { hint });
  }
  if (error.killed === true) return new InputError(`${name} gave no answer in ${PLUGIN_TIMEOUT_MS / 1_000} s`);
  // The last line of its complaint; never its output, which may hold a credential.
  const said = stderr.trim().split("\n").at(-1) ?? "";
  return new InputError(`${name} failed with code ${error.code ?? "unknown"}${said === "" ? "" : `: ${said}`}`, {
    hint: "run it by hand; it may ask to log in again",
  });
}

function readCredential(plugin: ExecPlugin, text: string, clock: Clock): Issued {
  const wrong = (what: string): InputError => new InputError(`the credential plugin ${plugin.command} ${what}`);
  let answer: unknown;
  try {
    answer = parseJson(text);
  } catch {
    throw wrong("did not answer with JSON");
  }
  if (!isJsonObject(answer) || answer["kind"] !== "ExecCredential")
    throw wrong("did not answer with an ExecCredential");
  if (answer["apiVersion"] !== plugin.apiVersion) {
    throw wrong(
      `answered in version ${String(answer["apiVersion"])}, but the kubeconfig asks for ${plugin.apiVersion}`,
    );
  }
  const status = isJsonObject(answer["status"]) ? answer["status"] : {};
  const { token, clientCertificateData: certificate, clientKeyData: key, expirationTimestamp } = status;
  const credential: Credential = {
    ...(typeof token === "string" && token !== "" ? { token } : {}),
    ...(typeof certificate === "string" && typeof key === "string" ? { certificate, key } : {}),
  };
  if ((certificate === undefined) !== (key === undefined))
    throw wrong("gave a certificate without key, or a key alone");
  if (Object.keys(credential).length === 0) throw wrong("gave neither a token nor a certificate");
  const expiresAt = typeof expirationTimestamp === "string" ? Date.parse(expirationTimestamp) : undefined;
  if (expiresAt !== undefined && Number.isNaN(expiresAt)) throw wrong("gave an expirationTimestamp that is no time");
  // By either clock from now on: a wall clock that is stepped back does not make it last longer.
  return { credential, expiry: expiresAt === undefined ? undefined : new Deadline(clock, expiresAt - clock.now()) };
}
