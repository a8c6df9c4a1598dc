import { expect, test } from "vitest";
import { readAdapterConfig } from "./adapter-config.ts";
import type { AdapterConfig } from "./adapter-config.ts";

const CONFIG = `
adapter: { name: dns, version: 1.2.3 }
debug_config: true
log: { level: debug, output: stdout }
clients:
  hyperfleet_api:
    base_url: http://fleet.test:8000
    timeout: 2s
    retry_attempts: 5
    retry_backoff: linear
    default_headers: { x-tenant: prod }
    auth: { token_path: token, token_cache_ttl: 30s }
  broker: { subscription_id: dns-adapter, topic: clusters }
  kubernetes: { api_version: v1, kube_config_path: kubeconfig, qps: 10 }
`;

const TASK = `
params:
  - { name: id, source: event.id, required: true }
  - { name: region, source: env.REGION, required: true }
  - { name: zone, source: { expression: "has(env.ZONE) ? env.ZONE : 'a'" } }
`;

interface Given {
  readonly config?: string;
  readonly task?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly flags?: Readonly<Record<string, string>>;
}

function read({ config = CONFIG, task = TASK, env = {}, flags = {} }: Given = {}): AdapterConfig {
  const files: Record<string, string> = { "/etc/a/config.yaml": config, "/etc/a/task.yaml": task };
  const readText = (path: string): string => {
    const text = files[path];
    if (text === undefined) throw new Error("no such file");
    return text;
  };
  const args = Object.fromEntries(
    Object.entries(flags).map(([path, text]) => [path, { flag: `--setting ${path}`, text }]),
  );
  const paths = { path: "/etc/a/config.yaml", taskPath: "/etc/a/task.yaml", cwd: "/home" };
  return readAdapterConfig({
    ...paths,
    env: { REGION: "eu", PATH: "/bin", ...env },
    flags: args,
    readText,
    now: () => 0,
  });
}

test("reads both files of an adapter", () => {
  expect(read()).toMatchObject({
    adapter: { name: "dns", version: "1.2.3" },
    api: {
      baseUrl: "http://fleet.test:8000",
      version: "v1",
      timeoutMs: 2_000,
      attemptsMax: 5,
      backoff: "linear",
      headers: { "x-tenant": "prod" },
      tokenFile: "/etc/a/token",
      tokenTtlMs: 30_000,
    },
    broker: { kind: "memory" },
    topic: "clusters",
    subscription: "dns-adapter",
    kubeconfig: "/etc/a/kubeconfig",
    log: { level: "debug", format: "text", output: "stdout" },
    debugConfig: true,
  });
});

test("a flag overrides a variable, and a variable overrides the file", () => {
  const env = { LEVELSET_FLEET_CLIENTS_BROKER_TOPIC: "from-env", LEVELSET_FLEET_ADAPTER_NAME: "from-env" };
  const { topic, adapter } = read({ env, flags: { "clients.broker.topic": "from-flag" } });
  expect([topic, adapter.name]).toEqual(["from-flag", "from-env"]);
});

test("variables of the fleet's configuration are allowed, unknown ones are refused", () => {
  expect(read({ env: { LEVELSET_FLEET_STORE_PATH: "fleet.db" } }).topic).toBe("clusters");
  const env = { LEVELSET_FLEET_CLIENTS_BROKER_TPOIC: "x" };
  expect(() => read({ env })).toThrow("LEVELSET_FLEET_CLIENTS_BROKER_TPOIC: unknown variable, did you mean");
});

test("a task sees only the variables that it names, and no secrets of the configuration", () => {
  const { env, redactedConfig } = read({ env: { ZONE: "b", SECRET: "x" } });
  expect(env).toEqual({ REGION: "eu", ZONE: "b" });
  expect(JSON.stringify(redactedConfig)).not.toContain("token");
  expect(redactedConfig).toMatchObject({ adapter: { name: "dns" }, clients: { broker: { topic: "clusters" } } });
});

test.each<[Given, string]>([
  [{ config: "adapter: { name: dns }" }, "clients.broker.subscription_id: is missing"],
  [{ config: `${CONFIG}\nadaptor: 1` }, "adaptor: unknown key in /etc/a/config.yaml, did you mean adapter?"],
  [{ config: CONFIG.replace("2s", "soon") }, "clients.hyperfleet_api.timeout: must be a duration"],
  [{ config: CONFIG.replace("{ x-tenant: prod }", "[a]") }, "default_headers: must be a mapping of strings"],
  [{ config: CONFIG.replace("http://", "http://me:pw@") }, "must not contain a password"],
  [{ task: "params: 5" }, "/etc/a/task.yaml: params: must be a list"],
  [{ env: { REGION: "" } }, "/etc/a/task.yaml: required variables are not set: REGION"],
])("%j is refused: %s", (args, message) => {
  expect(() => read(args)).toThrow(message);
});
