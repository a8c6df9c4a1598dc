import type { X509Certificate } from "node:crypto";
import type { Clock } from "@levelset/core";
import { staticCredentials } from "./cluster-config.ts";
import type { Credential, CredentialProvider } from "./cluster-config.ts";
import { ExecCredentials } from "./exec-credentials.ts";
import type { ExecPlugin } from "./exec-credentials.ts";
import { CachedFile, tokenFileCredentials } from "./cached-file.ts";
import { fieldsOf, isFields, kubeconfigError, pathOf, pemOf, stringField } from "./kubeconfig-entry.ts";
import type { KubeconfigEntry, KubeconfigFields } from "./kubeconfig-entry.ts";

/** Context of the credentials of a kubeconfig. */
export interface UserContext {
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Context name for error messages. */
  readonly context: string;
}

const EXEC_VERSIONS = ["client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"];

/**
 * Returns the credentials of a kubeconfig user: certificate, token, token file or plugin; empty ones without a user.
 * Rejects with an `InputError` for an unsupported or invalid entry.
 */
export async function userCredentials(
  user: KubeconfigEntry | undefined,
  cluster: KubeconfigEntry,
  context: UserContext,
): Promise<CredentialProvider> {
  if (user === undefined) return staticCredentials({});
  const { fields, file } = user;
  for (const unsupported of ["auth-provider", "username", "as"]) {
    if (fields[unsupported] === undefined) continue;
    const hint = "use a context with a client certificate, a token or an exec plugin";
    throw kubeconfigError(file, `credentials by ${unsupported} are not supported`, hint);
  }
  const certificate = await clientCertificate(user, context);
  const exec = fields["exec"];
  if (isFields(exec)) {
    if (certificate !== undefined) throw kubeconfigError(file, "a user has both exec and a client certificate");
    return new ExecCredentials({ plugin: execPlugin(user, exec, cluster, context.env), clock: context.clock });
  }
  const path = pathOf(user, "tokenFile");
  if (path === undefined) {
    const token = stringField(fields, "token");
    return staticCredentials({ ...certificate, ...(token === undefined ? {} : { token }) });
  }
  // tokenFile takes precedence over token (k8s.io/client-go/tools/clientcmd/api/types.go, AuthInfo).
  const onMissing = (): Error =>
    kubeconfigError(file, `tokenFile names ${stringField(fields, "tokenFile")}, which cannot be read`);
  const tokens = tokenFileCredentials(new CachedFile({ path, clock: context.clock, onMissing }));
  return certificate === undefined
    ? tokens
    : { ...tokens, current: async () => ({ ...certificate, ...(await tokens.current()) }) };
}

async function clientCertificate(user: KubeconfigEntry, context: UserContext): Promise<Credential | undefined> {
  const certificate = await pemOf(user, "client-certificate");
  const key = await pemOf(user, "client-key");
  if ((certificate === undefined) !== (key === undefined)) {
    throw kubeconfigError(user.file, "a client certificate needs its key, and a key its certificate");
  }
  if (certificate === undefined || key === undefined) return undefined;
  let parsed: X509Certificate;
  try {
    const crypto = await import("node:crypto");
    parsed = new crypto.X509Certificate(certificate);
  } catch {
    throw kubeconfigError(user.file, "the client certificate cannot be read as PEM");
  }
  if (parsed.validToDate.getTime() < context.clock.now()) {
    throw kubeconfigError(
      user.file,
      `the client certificate of context ${context.context} expired on ${parsed.validToDate.toISOString()}`,
      "have a new one issued, or choose another context with --context NAME",
    );
  }
  return { certificate, key };
}

function execPlugin(
  user: KubeconfigEntry,
  exec: KubeconfigFields,
  cluster: KubeconfigEntry,
  env: UserContext["env"],
): ExecPlugin {
  const problem = (message: string): Error => kubeconfigError(user.file, message);
  const command = stringField(exec, "command");
  if (command === undefined) throw problem("exec has no command");
  const apiVersion = stringField(exec, "apiVersion") ?? "";
  if (!EXEC_VERSIONS.includes(apiVersion)) {
    throw problem(`exec has the apiVersion "${apiVersion}", but must be one of ${EXEC_VERSIONS.join(", ")}`);
  }
  if (exec["interactiveMode"] === "Always")
    throw problem(`exec plugin ${command} requires a terminal (interactiveMode: Always), which is not available`);
  const args = exec["args"];
  const installHint = stringField(exec, "installHint");
  const added = fieldsOf(exec["env"]).map((each) => [
    stringField(each, "name") ?? "",
    stringField(each, "value") ?? "",
  ]);
  return {
    // A command with a slash is relative to the kubeconfig, any other is looked up in PATH (docs: client-go credential
    // plugins).
    command: command.includes("/") ? (pathOf({ ...user, fields: exec }, "command") ?? command) : command,
    args: Array.isArray(args) ? args.map(String) : [],
    apiVersion,
    env: { ...env, ...Object.fromEntries(added) },
    ...(installHint === undefined ? {} : { installHint }),
    ...(exec["provideClusterInfo"] === true ? { cluster: cluster.fields } : {}),
  };
}
