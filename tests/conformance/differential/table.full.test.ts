import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { onRealCluster } from "../../support/real-cluster.ts";
import { rawClient, embeddedRawClient } from "./raw-clients.ts";
import type { RawClient } from "./raw-clients.ts";
import { CORPUS } from "./table/corpus.ts";
import { TABLE_NAMESPACE, UID_OF_DB } from "./table/table-case.ts";
import type { TableCase } from "./table/table-case.ts";

const TABLE = "application/json;as=Table;g=meta.k8s.io;v=v1";

interface Table {
  readonly columnDefinitions: readonly {
    readonly name: string;
    readonly type: string;
    readonly format: string;
    readonly priority: number;
  }[];
  readonly rows: readonly { readonly cells: readonly unknown[]; readonly conditions?: unknown }[];
}

/** Columns whose cells depend on the time of the request or on allocated addresses. */
const PASSING: ReadonlySet<string> = new Set(["Age", "Created At", "Cluster-IP"]);

/** Returns the comparable parts of a table. */
function comparable(table: Table): unknown {
  return {
    columns: table.columnDefinitions.map(({ name, type, format, priority }) => ({ name, type, format, priority })),
    rows: table.rows.map(({ cells, conditions }) => ({
      cells: cells.map((cell, index) => {
        if (typeof cell !== "string") return cell;
        const isPassing = PASSING.has(table.columnDefinitions[index]?.name ?? "");
        if (isPassing && cell !== "None" && cell !== "<none>" && cell !== "") return "passing";
        return cell.replace(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/u, "uid");
      }),
      conditions,
    })),
  };
}

/** Returns the body with the uid of the owner on this server. */
async function owned(server: RawClient, body: TableCase["body"]): Promise<unknown> {
  const text = JSON.stringify(body);
  if (!text.includes(UID_OF_DB)) return body;
  const { body: owner } = await server.request(`/apis/apps/v1/namespaces/${TABLE_NAMESPACE}/statefulsets/db`);
  return JSON.parse(text.replace(UID_OF_DB, (owner as { readonly metadata: { readonly uid: string } }).metadata.uid));
}

async function write(server: RawClient, { path, name, body, status }: TableCase): Promise<void> {
  const created = await server.request(path, { method: "POST", body: await owned(server, body) });
  expect([path, name, created.code, created.code < 300 ? "" : created.body]).toEqual([path, name, 201, ""]);
  if (status === undefined) return;
  const asking = { method: "PATCH", body: { status }, contentType: "application/merge-patch+json" };
  const changed = await server.request(`${path}/${name}/status`, asking);
  expect([path, name, changed.code, changed.code < 300 ? "" : changed.body]).toEqual([path, name, 200, ""]);
}

await onRealCluster("our tables compared with kube-apiserver", (start) => {
  describe("our tables compared with kube-apiserver", () => {
    let real: RawClient;
    let ours: RawClient;
    beforeAll(async () => {
      real = await rawClient(await start());
      ours = await embeddedRawClient();
      for (const server of [real, ours]) {
        await server.request("/api/v1/namespaces", { method: "POST", body: { metadata: { name: TABLE_NAMESPACE } } });
      }
    });
    afterAll(async () => {
      await real[Symbol.asyncDispose]();
      await ours[Symbol.asyncDispose]();
    });

    test.each(CORPUS.map((shown) => [`${shown.path.split("/").at(-1) ?? ""}/${shown.name}`, shown] as const))(
      "%s is shown the same",
      async (_name, shown) => {
        await write(real, shown);
        await write(ours, shown);
        const path = `${shown.path}/${shown.name}`;
        const [theirs, mine] = [
          await real.request(path, { accept: TABLE }),
          await ours.request(path, { accept: TABLE }),
        ];
        expect(comparable(mine.body as Table)).toEqual(comparable(theirs.body as Table));
      },
    );

    test("a terminating object is shown as such", async () => {
      for (const path of [
        `/api/v1/namespaces/${TABLE_NAMESPACE}/pods`,
        `/api/v1/namespaces/${TABLE_NAMESPACE}/persistentvolumeclaims`,
      ]) {
        const tables: unknown[] = [];
        const name = path.endsWith("pods") ? "runs" : "claim";
        for (const server of [real, ours]) {
          const asking = { method: "PATCH", contentType: "application/merge-patch+json" };
          await server.request(`${path}/${name}`, {
            ...asking,
            body: { metadata: { finalizers: ["example.com/wait"] } },
          });
          await server.request(`${path}/${name}`, { method: "DELETE" });
          tables.push(comparable((await server.request(`${path}/${name}`, { accept: TABLE })).body as Table));
        }
        expect(tables[1]).toEqual(tables[0]);
      }
    });

    test("lists and namespaces are shown the same, without extra rows", async () => {
      for (const path of [`/api/v1/namespaces/${TABLE_NAMESPACE}`, `/api/v1/namespaces/${TABLE_NAMESPACE}/pods`]) {
        const [theirs, mine] = [
          await real.request(path, { accept: TABLE }),
          await ours.request(path, { accept: TABLE }),
        ];
        expect(comparable(mine.body as Table)).toEqual(comparable(theirs.body as Table));
      }
    });
  });
});
