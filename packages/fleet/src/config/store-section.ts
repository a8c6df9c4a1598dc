import type { StoreConfig } from "../store/index.ts";
import { omitUndefined } from "./omit-undefined.ts";
import type { Section } from "./section.ts";

/** The default path of the embedded store. */
const STORE_PATH = ".levelset/fleet.db";

/** Reads `store`. */
export function readStore(store: Section): StoreConfig {
  const kind = store.choice("kind", ["sqlite", "postgres"], {
    default: "sqlite",
    about: "sqlite: a file, for one process; postgres: for several processes",
  });
  const path = store.path("path", { default: STORE_PATH, about: "sqlite: the file, or :memory:" });
  const url = store.address("url", { about: "postgres: postgres://USER@HOST:PORT/DATABASE" });
  const password = store.secret("password", { about: "postgres: the password" });
  const schema = store.text("schema", { about: "postgres: the schema of the tables; public if not set" });
  const connectionsMax = store.integer("connections_max", {
    min: 1,
    max: 1_000,
    default: 10,
    about: "postgres: the maximum number of connections",
  });
  const retryTimeoutMs = store.duration("patience", {
    default: 10_000,
    about: "postgres: how long a statement is retried while the database is unreachable",
  });
  const tls = store.section("tls");
  const caFile = tls.path("ca_file", { about: "postgres: the CA certificates to trust; enables TLS" });
  const certFile = tls.path("cert_file", { about: "postgres: the client's certificate" });
  const keyFile = tls.path("key_file", { about: "postgres: the client's key" });
  if (kind !== "postgres") return { kind: "sqlite", path: path ?? STORE_PATH };
  if (url === undefined) store.missing("url", "is required for postgres");
  const files = omitUndefined({ caFile, certFile, keyFile });
  return {
    kind: "postgres",
    url: url ?? "",
    ...omitUndefined({ password, schema, connectionsMax, retryTimeoutMs }),
    ...(Object.keys(files).length === 0 ? {} : { tls: files }),
  };
}
