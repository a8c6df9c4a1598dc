/** A setting of a Sentinel that can also be given by a flag or an environment variable. */
export interface SentinelSetting {
  /** Where it stands in the file. */
  readonly path: string;
  /** Without the dashes. */
  readonly flag: string;
  readonly env: string;
  /** What it is for, in a few words. */
  readonly help: string;
}

function setting(path: string, flag: string, env: string, help: string): SentinelSetting {
  return { path, flag, env: `HYPERFLEET_${env}`, help };
}

/** All settings that are one value. Selector, decision and message data are in the file only. */
export const SENTINEL_SETTINGS: readonly SentinelSetting[] = [
  setting("sentinel.name", "name", "SENTINEL_NAME", "what this Sentinel calls itself"),
  setting("resource_type", "resource-type", "RESOURCE_TYPE", "the plural of the kind to pulse"),
  setting("poll_interval", "poll-interval", "POLL_INTERVAL", "how often to look: 5s"),
  setting(
    "clients.hyperfleet_api.base_url",
    "hyperfleet-api-base-url",
    "API_BASE_URL",
    "where the API is, for --source=http",
  ),
  setting("clients.hyperfleet_api.version", "hyperfleet-api-version", "API_VERSION", "the API's version: v1"),
  setting(
    "clients.hyperfleet_api.timeout",
    "hyperfleet-api-timeout",
    "API_TIMEOUT",
    "how long a request may take: 10s",
  ),
  setting("clients.hyperfleet_api.page_size", "hyperfleet-api-page-size", "API_PAGE_SIZE", "resources per page: 20"),
  setting(
    "clients.hyperfleet_api.auth.token_path",
    "hyperfleet-api-token-path",
    "API_TOKEN_PATH",
    "a file with a bearer token",
  ),
  setting(
    "clients.hyperfleet_api.auth.token_cache_ttl",
    "hyperfleet-api-token-cache-ttl",
    "API_TOKEN_CACHE_TTL",
    "how long a token is used before its file is read again: 30s",
  ),
  setting("clients.broker.topic", "broker-topic", "BROKER_TOPIC", "where pulses are published"),
  setting("log.level", "log-level", "LOG_LEVEL", "debug, info, warn or error"),
  setting("log.format", "log-format", "LOG_FORMAT", "text or json"),
  setting("log.output", "log-output", "LOG_OUTPUT", "stdout or stderr"),
  setting("debug_config", "debug-config", "DEBUG_CONFIG", "log the configuration at the start"),
  setting("tracing_enabled", "tracing-enabled", "TRACING_ENABLED", "whether pulses carry a trace"),
];

/** How to set what is at a path: `--poll-interval, HYPERFLEET_POLL_INTERVAL, or poll_interval in the file`. */
export function settingHint(path: string): string {
  const found = SENTINEL_SETTINGS.find((known) => known.path === path);
  return found === undefined ? `${path} in the file` : `--${found.flag}, ${found.env}, or ${path} in the file`;
}
