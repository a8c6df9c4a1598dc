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
import { omitUndefined } from "./omit-undefined.ts";
import { readListen } from "./listen-section.ts";
import type { ListenConfig } from "./listen-section.ts";
import type { Section } from "./section.ts";

/** Settings of the API. */
export interface ApiConfig {
  readonly listen: ListenConfig;
  readonly health: ListenConfig;
  readonly metrics: ListenConfig;
  readonly auth: AuthConfig;
  readonly limits: LimitsConfig;
  readonly retention: RetentionConfig;
  /** Whether to create OpenTelemetry spans for requests and the store calls they wait for. */
  readonly isTraced: boolean;
  /** An OpenAPI document whose `components.schemas` contain the spec schemas of kinds. */
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
      about: "an OpenAPI document whose components.schemas contain the spec schemas of the kinds",
    }),
    isTraced:
      api.boolean("tracing", {
        default: false,
        env: ["HYPERFLEET_TRACING_ENABLED"],
        about: "OpenTelemetry spans for requests and the store calls they wait for",
      }) ?? false,
    auth: readAuth(api),
    limits: readLimits(api.section("limits")),
    retention: readRetention(api.section("retention")),
  };
}

function readAuth(api: Section): AuthConfig {
  const jwt = readJwt(api.section("jwt"));
  const tenants = readTenants(api.section("tenants"));
  // An empty protection is an error: it must not silently protect nothing.
  if (api.has("jwt") && jwt === undefined) api.missing("jwt.issuers", "must contain at least one issuer");
  if (api.has("tenants") && tenants === undefined)
    api.missing("tenants.dimensions", "must contain at least one dimension");
  const adapters = api.list(
    "adapters",
    "which identities (a pattern) may report as which adapters",
    (item): AdapterBinding => {
      const adapterNames = item.texts("adapters", { about: "adapter names" });
      return { identity: item.required("identity", "a pattern of identities"), adapters: adapterNames ?? [] };
    },
  );
  if (api.has("adapters") && adapters.length === 0) api.missing("adapters", "must contain at least one binding");
  return omitUndefined({ jwt, tenants, adapters: adapters.length === 0 ? undefined : adapters });
}

function readJwt(jwt: Section): JwtConfig | undefined {
  const issuers = jwt.list("issuers", "trusted token issuers; without any, no token is required", readIssuer);
  const times = omitUndefined({
    leewayMs: jwt.duration("leeway", { default: 60_000, about: "the allowed clock skew" }),
    keyRefreshMs: jwt.duration("key_refresh", { default: 3_600_000, about: "how long keys from a URL are cached" }),
    keyCooldownMs: jwt.duration("key_cooldown", {
      default: 10_000,
      about: "the minimum time between two key requests",
    }),
  });
  return issuers.length === 0 ? undefined : { issuers, ...times };
}

function readIssuer(issuer: Section): IssuerConfig {
  const url = issuer.text("jwk_cert_url", { about: "the URL of its keys" });
  const path = issuer.path("jwk_cert_file", { about: "a file with its keys" });
  const caFile = issuer.path("jwk_cert_ca_file", { about: "the CA certificates to trust" });
  if ((url === undefined) === (path === undefined))
    issuer.missing("jwk_cert_url", "either this or jwk_cert_file is required");
  const audience = issuer.texts("audience", { about: "the accepted audiences" });
  return {
    issuerUrl: issuer.required("issuer_url", "the iss of its tokens"),
    keys: path === undefined ? { kind: "url", url: url ?? "", ...omitUndefined({ caFile }) } : { kind: "file", path },
    ...omitUndefined({
      header: issuer.text("header", { about: "the header with the token" }),
      audience,
      identityClaim: issuer.text("identity_claim", { about: "the claim with the identity" }),
      identityClaimPattern: issuer.text("identity_claim_pattern", { about: "the pattern that the claim must match" }),
      identityHeader: issuer.text("identity_header", { about: "a gateway's header with the identity" }),
    }),
  };
}

function readTenants(tenants: Section): TenantConfig | undefined {
  const dimensions = tenants.list(
    "dimensions",
    "the parts of a tenant's key: name, header, required, pattern",
    (item) => {
      return {
        name: item.required("name", "the key in tenancy"),
        header: item.required("header", "the header that carries it"),
        isRequired:
          item.boolean("required", { default: true, about: "whether a request without it is refused" }) ?? true,
        ...omitUndefined({ pattern: item.text("pattern", { about: "the pattern that the value must match" }) }),
      };
    },
  );
  const system = omitUndefined({
    systemHeader: tenants.text("system_header", { about: "the header that contains true for the system itself" }),
    systemIdentity: tenants.text("system_identity", {
      about: "a pattern of identities that may act for the system",
    }),
  });
  return dimensions.length === 0 ? undefined : { dimensions, ...system };
}

function readLimits(limits: Section): LimitsConfig {
  return omitUndefined({
    perIdentity: readRate(limits.section("per_identity"), "of one identity"),
    perTenant: readRate(limits.section("per_tenant"), "of one tenant"),
    inFlightMax: limits.integer("in_flight_max", {
      min: 1,
      max: 100_000,
      default: 1_000,
      about: "the maximum number of concurrent requests",
    }),
    watchersMax: limits.integer("watchers_max", {
      min: 1,
      max: 100_000,
      default: 1_000,
      about: "the maximum number of open watches",
    }),
    bodyBytesMax: limits.integer("body_bytes_max", {
      min: 1_024,
      max: 64 * 1024 * 1024,
      default: 1024 * 1024,
      about: "the maximum size of a request body in bytes",
    }),
    requestTimeoutMs: limits.duration("request_timeout", {
      default: 30_000,
      about: "how long a request may take before it is answered with 503",
    }),
  });
}

function readRate(rate: Section, whose: string): Rate | undefined {
  const perSecond = rate.positive("per_second", { about: `requests per second ${whose}; unlimited if not set` });
  const burst = rate.integer("burst", {
    min: 1,
    max: 1_000_000,
    about: `burst size ${whose}; twice per_second if not set`,
  });
  if (perSecond === undefined) {
    if (burst !== undefined) rate.missing("per_second", "is required with burst");
    return undefined;
  }
  return { perSecond, burst: burst ?? Math.max(1, Math.ceil(2 * perSecond)) };
}

const DAY_MS = 86_400_000;

function readRetention(retention: Section): RetentionConfig {
  return omitUndefined({
    reportsPerResource: retention.integer("reports_per_resource", {
      min: 1,
      max: 100_000,
      default: 100,
      about: "the number of reports retained per resource",
    }),
    auditMs: retention.duration("audit", { default: 90 * DAY_MS, about: "how long audit entries are retained" }),
    answersMs: retention.duration("answers", {
      default: DAY_MS,
      about: "how long idempotency keys are remembered",
    }),
    removedMs: retention.duration("removed", {
      default: DAY_MS,
      about: "how long after a disconnect a watch can be resumed",
    }),
    everyMs: retention.duration("every", { default: 600_000, about: "how often expired data is deleted" }),
  });
}
