import type { StoreConfig } from "../store/index.ts";
import { defined } from "./defined.ts";
import type { Section } from "./section.ts";

/** Where the embedded store is, unless told otherwise. */
const STORE_PATH = ".levelset/fleet.db";

/** Reads `store`. */
export function readStore(store: Section): StoreConfig {
  const kind = store.choice("kind", ["sqlite", "postgres"], {
    default: "sqlite",
    about: "sqlite: a file, for one process; postgres: for any number of them",
  });
  const path = store.path("path", { default: STORE_PATH, about: "sqlite: the file, or :memory:" });
  const url = store.address("url", { about: "postgres: postgres://USER@HOST:PORT/DATABASE" });
  const password = store.secret("password", { about: "postgres: the password" });
  const schema = store.text("schema", { about: "postgres: the schema that the tables are in; public if not given" });
  const connectionsMax = store.integer("connections_max", {
    min: 1,
    max: 1_000,
    default: 10,
    about: "postgres: the most connections",
  });
  const patienceMs = store.duration("patience", {
    default: 10_000,
    about: "postgres: how long a statement is tried while the database is away",
  });
  const tls = store.section("tls");
  const caFile = tls.path("ca_file", { about: "postgres: the certificates to trust; with it the connection is TLS" });
  const certFile = tls.path("cert_file", { about: "postgres: the client's certificate" });
  const keyFile = tls.path("key_file", { about: "postgres: the client's key" });
  if (kind !== "postgres") return { kind: "sqlite", path: path ?? STORE_PATH };
  if (url === undefined) store.missing("url", "is needed for postgres");
  const files = defined({ caFile, certFile, keyFile });
  return {
    kind: "postgres",
    url: url ?? "",
    ...defined({ password, schema, connectionsMax, patienceMs }),
    ...(Object.keys(files).length === 0 ? {} : { tls: files }),
  };
}
