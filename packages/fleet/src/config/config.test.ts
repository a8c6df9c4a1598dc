import { describe, expect, test } from "vitest";
import { configText, readFleetConfig, readSentinelRules } from "./index.ts";
import type { ConfigRequest, FleetConfig } from "./index.ts";

/** Returns configuration sources: files by path, variables, and flags by setting. */
function request(
  file: string,
  env: ConfigRequest["env"] = {},
  flags: Readonly<Record<string, string>> = {},
  files: Readonly<Record<string, string>> = {},
): ConfigRequest {
  const all: Readonly<Record<string, string>> = { "/etc/fleet/fleet.yaml": file, ...files };
  return {
    path: "/etc/fleet/fleet.yaml",
    env,
    flags: Object.fromEntries(Object.entries(flags).map(([path, text]) => [path, { flag: `--${path}`, text }])),
    cwd: "/srv/ann",
    readText: (path) => {
      const text = all[path];
      if (text === undefined) throw new Error("no such file");
      return text;
    },
  };
}

function config(...args: Parameters<typeof request>): FleetConfig {
  return readFleetConfig(request(...args));
}

function wrong(...args: Parameters<typeof config>): string {
  try {
    config(...args);
  } catch (error) {
    return error instanceof Error ? error.message : "";
  }
  return "";
}

describe("a fleet's configuration", () => {
  test("has defaults for this machine only", () => {
    const { api, store, broker, log, kinds } = config("");
    expect(api.listen).toEqual({ host: "127.0.0.1", port: 8_000 });
    expect([api.health.port, api.metrics.port]).toEqual([8_080, 9_090]);
    expect(api.auth).toEqual({});
    expect(store).toEqual({ kind: "sqlite", path: "/srv/ann/.levelset/fleet.db" });
    expect([broker, log]).toEqual([{ kind: "memory" }, { level: "info", format: "text", output: "stderr" }]);
    expect(kinds.all.map(({ plural }) => plural)).toContain("clusters");
  });

  test("prefers flags over variables, levelset variables over HyperFleet variables, and all over the file", () => {
    const file = "api: {port: 1, host: a}\nlog: {level: warn}";
    const env = { LEVELSET_FLEET_API_PORT: "2", HYPERFLEET_SERVER_PORT: "3", HYPERFLEET_SERVER_HOST: "b" };
    expect(config(file).api.listen).toEqual({ host: "a", port: 1 });
    expect(config(file, env).api.listen).toEqual({ host: "b", port: 2 });
    expect(config(file, env, { "api.port": "4" }).api.listen.port).toBe(4);
    expect(config(file, { LEVELSET_FLEET_API_PORT: "" }).api.listen.port).toBe(1);
    const text = configText(config(file, env, { "log.format": "json" }).settings, { all: false });
    expect(text).toMatch(/^api\.host +b +HYPERFLEET_SERVER_HOST$/mu);
    expect(text).toMatch(/^api\.port +2 +LEVELSET_FLEET_API_PORT$/mu);
    expect(text).toMatch(/^api\.health\.port +8080 +default$/mu);
    expect(text).toMatch(/^log\.level +warn +\/etc\/fleet\/fleet\.yaml$/mu);
    expect(text).toMatch(/^log\.format +json +--log\.format$/mu);
  });

  test.each([
    ["api: {prot: 1}", "api.prot: unknown key in /etc/fleet/fleet.yaml, did you mean port?"],
    ["stroe: {}", "stroe: unknown key in /etc/fleet/fleet.yaml, did you mean store?"],
    ["api: {jwt: {issuers: [{isuer_url: x}]}}", "api.jwt.issuers[0].isuer_url: unknown key"],
    ["zebra: 1", "zebra: unknown key in /etc/fleet/fleet.yaml"],
    ["api: {jwt: {issuers: []}}", "api.jwt.issuers: must contain at least one issuer"],
    ["api: {jwt: {leeway: 5s}}", "api.jwt.issuers: must contain at least one issuer"],
    ["api: {tenants: {system_header: x}}", "api.tenants.dimensions: must contain at least one dimension"],
    ["api: {adapters: []}", "api.adapters: must contain at least one binding"],
    ["api: {port: 70000}", "api.port: must be an integer from 0 to 65535 (/etc/fleet/fleet.yaml)"],
    ["api: 7", "api: must be an object"],
    ["api: {jwt: {leeway: 5}}", "api.jwt.leeway: must be a duration"],
    ["api: {jwt: {issuers: [{issuer_url: 'https://a'}]}}", "api.jwt.issuers[0].jwk_cert_url: either this or"],
    ["api: {adapters: {}}", "api.adapters: must be a list"],
    ["api: {limits: {per_tenant: {burst: 3}}}", "api.limits.per_tenant.per_second: is required"],
    ["log: {level: loud}", "log.level: must be one of debug, info, warn, error"],
    ["store: {kind: postgres}", "store.url: is required for postgres"],
    ["broker: {kind: rabbitmq}", "broker.rabbitmq.url: is required for rabbitmq"],
    ["broker: {nats: {servers: []}}", "broker.nats.servers: must be a list of strings"],
    ["broker: {nats: {servers: ['nats://u:p@h:1']}}", "broker.nats.servers: must not contain a user or a password"],
    ["entities: [{kind: A, plural: as, parent_kind: B}]", "unknown kind B"],
    ["a: 1\n---\nb: 1", "more than one document"],
    ["[1]", "must be an object"],
    ["a: {", "is not YAML: line"],
    ["a: 1\na: 2", "is not YAML"],
  ])("refuses %j", (file, message) => {
    expect(wrong(file)).toContain(message);
  });

  test("refuses unknown variables, and reports all problems at once", () => {
    const message = wrong("api: {port: x}", { LEVELSET_FLEET_API_PROT: "1", LEVELSET_FLEET_URL: "http://fleet" });
    expect(message).toContain("LEVELSET_FLEET_API_PROT: unknown variable, did you mean LEVELSET_FLEET_API_PORT?");
    expect(message).toContain("api.port: must be");
    expect(message).not.toContain("LEVELSET_FLEET_URL");
    expect(wrong("api: {port: x}", { LEVELSET_FLEET_CLIENTS_BROKER_TOPIC: "an adapter's" })).not.toContain("CLIENTS");
    expect(wrong("", {}, { "api.prot": "1" })).toBe("api.prot: unknown setting (--api.prot), did you mean api.port?");
    expect(wrong("", { LEVELSET_FLEET_API_PORT: "x" })).toContain("(LEVELSET_FLEET_API_PORT)");
  });

  test("reads authentication and limits", () => {
    const { auth, limits } = config(`
api:
  jwt:
    leeway: 5s
    issuers:
      - {issuer_url: "https://sso.example", jwk_cert_file: keys.json, audience: fleet, identity_claim: sub}
  tenants:
    system_header: X-System
    dimensions: [{name: org, header: X-Org}, {name: team, header: X-Team, required: false, pattern: "[a-z]+"}]
  adapters: [{identity: "dns-.*", adapters: [dns]}]
  limits: {per_identity: {per_second: 0.5}, watchers_max: 3}
`).api;
    expect(auth).toEqual({
      jwt: {
        issuers: [
          {
            issuerUrl: "https://sso.example",
            keys: { kind: "file", path: "/etc/fleet/keys.json" },
            audience: ["fleet"],
            identityClaim: "sub",
          },
        ],
        leewayMs: 5_000,
        keyRefreshMs: 3_600_000,
        keyCooldownMs: 10_000,
      },
      tenants: {
        dimensions: [
          { name: "org", header: "X-Org", isRequired: true },
          { name: "team", header: "X-Team", isRequired: false, pattern: "[a-z]+" },
        ],
        systemHeader: "X-System",
      },
      adapters: [{ identity: "dns-.*", adapters: ["dns"] }],
    });
    expect(limits).toEqual({
      perIdentity: { perSecond: 0.5, burst: 1 },
      inFlightMax: 1_000,
      watchersMax: 3,
      bodyBytesMax: 1024 * 1024,
      requestTimeoutMs: 30_000,
    });
  });

  test("reads the spec schemas from a document", () => {
    const files = {
      "/etc/fleet/specs.yaml":
        "components: {schemas: {CellSpec: {type: object, required: [size], properties: {size: {type: integer}}}}}",
    };
    const file =
      "api: {schema_file: specs.yaml}\nentities: [{kind: Cell, plural: cells, spec_schema_name: CellSpec, require_spec_schema: true}]";
    expect(config(file, {}, {}, files).kinds.find("Cell")?.specSchema).toBeDefined();
    expect(wrong(file)).toContain("cannot read /etc/fleet/specs.yaml");
    expect(wrong(file, {}, {}, { "/etc/fleet/specs.yaml": "openapi: 3.0.0" })).toContain("has no components.schemas");
  });
});

describe("secrets", () => {
  const POSTGRES = "store: {kind: postgres, url: 'postgres://ann@db/fleet'";

  test("come from variables or separate files, and are never shown", () => {
    const files = { "/etc/fleet/pw": "hunter2\n" };
    const byFile = config(`${POSTGRES}, password_file: pw}`, {}, {}, files);
    expect(byFile.store).toMatchObject({ kind: "postgres", password: "hunter2" });
    const byVariable = config(`${POSTGRES}}`, {
      LEVELSET_FLEET_STORE_PASSWORD: "hunter2",
      BROKER_RABBITMQ_URL: "amqp://ann:hunter2@mq:5672/fleet",
      LEVELSET_FLEET_BROKER_KIND: "rabbitmq",
    });
    expect(byVariable.store).toMatchObject({ password: "hunter2" });
    expect(byVariable.broker).toMatchObject({ kind: "rabbitmq", url: "amqp://ann:hunter2@mq:5672/fleet" });
    for (const { settings } of [byFile, byVariable]) {
      expect(configText(settings, { all: true })).not.toContain("hunter2");
    }
    const text = configText(byVariable.settings, { all: false });
    expect(text).toMatch(/^store\.password +\(hidden\) +LEVELSET_FLEET_STORE_PASSWORD$/mu);
    expect(text).toContain("amqp://ann:hidden@mq:5672/fleet");
  });

  test.each([
    [`${POSTGRES}, password: hunter2}`, "store.password: is not allowed in a configuration file"],
    ["store: {kind: postgres, url: 'postgres://ann:hunter2@db/fleet'}", "store.url: must not contain a password"],
    ["store: {kind: postgres, url: 'postgres://db/fleet?password=hunter2'}", "store.url: must not contain a password"],
    [`${POSTGRES}, password_file: nowhere}`, "store.password_file: cannot be read: no such file"],
    ["broker: {nats: {token: hunter2}}", "broker.nats.token: is not allowed"],
  ])("are refused in %j, without being shown", (file, message) => {
    expect(wrong(file)).toContain(message);
    expect(wrong(file)).not.toContain("hunter2");
  });
});

describe("a HyperFleet broker.yaml", () => {
  const read = (text: string, env: ConfigRequest["env"] = {}): FleetConfig =>
    config("broker: {file: broker.yaml}", env, {}, { "/etc/fleet/broker.yaml": text });

  test("is accepted, and settings without effect are reported", () => {
    const text =
      "broker: {type: rabbitmq, rabbitmq: {url: 'amqp://a:hunter2@mq', exchange_type: topic, prefetch_count: 4, exchange: x, routing_key: '', queue: q, consumer_tag: ''}}\nsubscriber: {parallelism: 3}";
    const { broker, warnings, settings } = read(text);
    const url = "amqp://a:hunter2@mq";
    expect(broker).toEqual({ kind: "rabbitmq", url, exchangeType: "topic", exchange: "x", prefetch: 4 });
    expect(warnings).toEqual([
      "/etc/fleet/broker.yaml: broker.rabbitmq.queue has no effect: queues are named after the topic and the subscription",
    ]);
    expect(configText(settings, { all: true })).not.toContain("hunter2");
    expect(read(text, { BROKER_RABBITMQ_URL: "amqp://other" }).broker).toMatchObject({ url: "amqp://other" });
  });

  test.each([
    ["broker: {type: googlepubsub, googlepubsub: {project_id: x}}", "googlepubsub is not supported yet"],
    ["broker: {type: kafka, rabbitmq: {url: 'amqp://a'}}", "broker.type: must be rabbitmq"],
    [
      "broker: {type: rabbitmq, rabbitmq: {urll: x}}",
      "broker.rabbitmq.urll: unknown key in /etc/fleet/broker.yaml, did you mean url?",
    ],
    ["broker: {type: rabbitmq}", "broker.rabbitmq.url: is missing"],
  ])("is refused if it is %j", (text, message) => {
    expect(() => read(text)).toThrow(message);
  });
});

describe("Sentinels", () => {
  /** Returns the pulsed resource types and topics. */
  function pulsed(...args: Parameters<typeof request>): readonly string[] {
    const input = request(...args);
    return readSentinelRules(readFleetConfig(input), input).map(({ rule }) => `${rule.resourceType} → ${rule.topic}`);
  }
  const SENTINEL = "{resource_type: clusters, clients: {broker: {topic: there}}, poll_interval: 2s}";

  test("pulse every kind with required adapters unless configured otherwise", () => {
    expect(pulsed("")).toEqual(["clusters → hyperfleet-clusters", "nodepools → hyperfleet-nodepools"]);
    expect(pulsed(`sentinel: {rules: [${SENTINEL}, {resource_type: nodepools}]}`)).toEqual([
      "clusters → there",
      "nodepools → hyperfleet-nodepools",
    ]);
  });

  test("accept HyperFleet files, by name or as the only file, with HyperFleet variables", () => {
    const files = { "/etc/fleet/clusters.yaml": SENTINEL };
    expect(pulsed("sentinel: {files: [clusters.yaml]}", {}, {}, files)).toEqual(["clusters → there"]);
    expect(pulsed(SENTINEL)).toEqual(["clusters → there"]);
    expect(pulsed(SENTINEL, { HYPERFLEET_BROKER_TOPIC: "here" })).toEqual(["clusters → here"]);
    expect(pulsed("", { HYPERFLEET_RESOURCE_TYPE: "nodepools" })).toEqual(["nodepools → hyperfleet-nodepools"]);
    expect(() => pulsed("sentinel: {rules: [{resource_typ: clusters}]}")).toThrow("resource_typ");
    expect(() => pulsed("sentinel: {rules: {}}")).toThrow("sentinel.rules: must be a list");
    expect(() => pulsed("sentinel: {source: http}")).toThrow("base_url");
  });
});

test("a command's default has the lowest precedence", () => {
  const defaults = { "api.port": "0", "api.health.port": "0" };
  const { api, settings } = readFleetConfig({ ...request("api: {port: 7}"), defaults });
  expect([api.listen.port, api.health.port]).toEqual([7, 0]);
  expect(configText(settings, { all: false })).toMatch(/^api\.health\.port +0 +default$/mu);
});
