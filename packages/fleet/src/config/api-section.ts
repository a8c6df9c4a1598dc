import type {
  AdapterBinding,
  AuthConfig,
  IssuerConfig,
  JwtConfig,
  LimitsConfig,
  Rate,
  RetentionConfig,
  TenantConfig,
} from "../api/index.ts";
import { defined } from "./defined.ts";
import { readListen } from "./listen-section.ts";
import type { ListenConfig } from "./listen-section.ts";
import type { Section } from "./section.ts";

/** How the API is served. */
export interface ApiConfig {
  readonly listen: ListenConfig;
  readonly health: ListenConfig;
  readonly metrics: ListenConfig;
  readonly auth: AuthConfig;
  readonly limits: LimitsConfig;
  readonly retention: RetentionConfig;
  /** Whether requests and the statements they wait for are spans of OpenTelemetry. */
  readonly isTraced: boolean;
  /** An OpenAPI document whose `components.schemas` describe the specs of kinds. */
  readonly schemaFile: string | undefined;
}

/** Reads `api`. */
export function readApi(api: Section): ApiConfig {
  return {
    listen: readListen(api, { port: 8_000, env: "HYPERFLEET_SERVER", what: "the API" }),
    health: readListen(api.section("health"), { port: 8_080, env: "HYPERFLEET_HEALTH", what: "/healthz and /readyz" }),
    metrics: readListen(api.section("metrics"), { port: 9_090, env: "HYPERFLEET_METRICS", what: "/metrics" }),
    schemaFile: api.path("schema_file", {
      env: ["HYPERFLEET_SERVER_OPENAPI_SCHEMA_PATH"],
      about: "an OpenAPI document whose components.schemas describe the specs of the kinds",
    }),
    isTraced:
      api.flag("tracing", {
        default: false,
        env: ["HYPERFLEET_TRACING_ENABLED"],
        about: "spans of OpenTelemetry for requests and what they wait for",
      }) ?? false,
    auth: readAuth(api),
    limits: readLimits(api.section("limits")),
    retention: readRetention(api.section("retention")),
  };
}

function readAuth(api: Section): AuthConfig {
  const jwt = readJwt(api.section("jwt"));
  const tenants = readTenants(api.section("tenants"));
  // Whoever names a protection wants it: one that protects nothing is a mistake, and must not pass for none.
  if (api.has("jwt") && jwt === undefined) api.missing("jwt.issuers", "must name at least one");
  if (api.has("tenants") && tenants === undefined) api.missing("tenants.dimensions", "must name at least one");
  const adapters = api.list(
    "adapters",
    "who may report as which adapter: identity (a pattern) and adapters",
    (item): AdapterBinding => {
      const adapterNames = item.texts("adapters", { about: "names of adapters" });
      return { identity: item.required("identity", "a pattern of identities"), adapters: adapterNames ?? [] };
    },
  );
  if (api.has("adapters") && adapters.length === 0) api.missing("adapters", "must name at least one");
  return defined({ jwt, tenants, adapters: adapters.length === 0 ? undefined : adapters });
}

function readJwt(jwt: Section): JwtConfig | undefined {
  const issuers = jwt.list("issuers", "whose tokens are trusted; without any, no token is asked for", readIssuer);
  const times = defined({
    leewayMs: jwt.duration("leeway", { default: 60_000, about: "how much clocks may differ" }),
    keyRefreshMs: jwt.duration("key_refresh", { default: 3_600_000, about: "how old keys from a URL may get" }),
    keyCooldownMs: jwt.duration("key_cooldown", {
      default: 10_000,
      about: "the least time between two requests for keys",
    }),
  });
  return issuers.length === 0 ? undefined : { issuers, ...times };
}

function readIssuer(issuer: Section): IssuerConfig {
  const url = issuer.text("jwk_cert_url", { about: "where its keys are" });
  const path = issuer.path("jwk_cert_file", { about: "a file with its keys" });
  const caFile = issuer.path("jwk_cert_ca_file", { about: "the certificates to trust" });
  if ((url === undefined) === (path === undefined))
    issuer.missing("jwk_cert_url", "either it or jwk_cert_file is needed");
  const audience = issuer.texts("audience", { about: "a token must be for one of these" });
  return {
    issuerUrl: issuer.required("issuer_url", "the iss of its tokens"),
    keys: path === undefined ? { kind: "url", url: url ?? "", ...defined({ caFile }) } : { kind: "file", path },
    ...defined({
      header: issuer.text("header", { about: "the header with the token" }),
      audience,
      identityClaim: issuer.text("identity_claim", { about: "the claim that says who it is" }),
      identityClaimPattern: issuer.text("identity_claim_pattern", { about: "what the claim must match" }),
      identityHeader: issuer.text("identity_header", { about: "a gateway's header that says who it is" }),
    }),
  };
}

function readTenants(tenants: Section): TenantConfig | undefined {
  const dimensions = tenants.list("dimensions", "what makes up a tenant: name, header, required, pattern", (item) => {
    return {
      name: item.required("name", "its name in tenancy"),
      header: item.required("header", "the header that carries it"),
      isRequired: item.flag("required", { default: true, about: "whether a request without it is refused" }) ?? true,
      ...defined({ pattern: item.text("pattern", { about: "what the value must match" }) }),
    };
  });
  const system = defined({
    systemHeader: tenants.text("system_header", { about: "the header that says true for the system itself" }),
    systemIdentity: tenants.text("system_identity", {
      about: "a pattern of identities that are believed when they say so",
    }),
  });
  return dimensions.length === 0 ? undefined : { dimensions, ...system };
}

function readLimits(limits: Section): LimitsConfig {
  return defined({
    perIdentity: readRate(limits.section("per_identity"), "of one identity"),
    perTenant: readRate(limits.section("per_tenant"), "of one tenant"),
    inFlightMax: limits.integer("in_flight_max", {
      min: 1,
      max: 100_000,
      default: 1_000,
      about: "requests worked on at once",
    }),
    watchersMax: limits.integer("watchers_max", {
      min: 1,
      max: 100_000,
      default: 1_000,
      about: "watches open at once",
    }),
    bodyBytesMax: limits.integer("body_bytes_max", {
      min: 1_024,
      max: 64 * 1024 * 1024,
      default: 1024 * 1024,
      about: "bytes of a request's body",
    }),
    requestTimeoutMs: limits.duration("request_timeout", {
      default: 30_000,
      about: "how long a request may take until it is answered with 503",
    }),
  });
}

function readRate(rate: Section, whose: string): Rate | undefined {
  const perSecond = rate.positive("per_second", { about: `requests a second ${whose}; any number if not given` });
  const burst = rate.integer("burst", {
    min: 1,
    max: 1_000_000,
    about: `requests at once ${whose}; twice per_second if not given`,
  });
  if (perSecond === undefined) {
    if (burst !== undefined) rate.missing("per_second", "is needed beside burst");
    return undefined;
  }
  return { perSecond, burst: burst ?? Math.max(1, Math.ceil(2 * perSecond)) };
}

const DAY_MS = 86_400_000;

function readRetention(retention: Section): RetentionConfig {
  return defined({
    reportsPerResource: retention.integer("reports_per_resource", {
      min: 1,
      max: 100_000,
      default: 100,
      about: "the last reports of each resource that are kept",
    }),
    auditMs: retention.duration("audit", { default: 90 * DAY_MS, about: "how long it is kept who changed what" }),
    answersMs: retention.duration("answers", {
      default: DAY_MS,
      about: "how long a request with an idempotency key is known again",
    }),
    removedMs: retention.duration("removed", {
      default: DAY_MS,
      about: "how long after it broke off a watch can be resumed",
    }),
    everyMs: retention.duration("every", { default: 600_000, about: "how often the rest is forgotten" }),
  });
}
