import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { onRealCluster } from "../support/real-cluster.ts";
import { askable, embeddedAskable } from "./pair.ts";
import type { Asked } from "./pair.ts";
import { CORPUS } from "./table/corpus.ts";
import { PLACE, UID_OF_DB } from "./table/shown.ts";
import type { Shown } from "./table/shown.ts";

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

/** Columns whose cells depend on when the server was asked, or on which addresses it gives out. */
const PASSING: ReadonlySet<string> = new Set(["Age", "Created At", "Cluster-IP"]);

/** What a table shows of an object, without what is never the same twice. */
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

/** The body with the uid that this server gave the owner in it. */
async function owned(server: Asked, body: Shown["body"]): Promise<unknown> {
  const text = JSON.stringify(body);
  if (!text.includes(UID_OF_DB)) return body;
  const { body: owner } = await server.ask(`/apis/apps/v1/namespaces/${PLACE}/statefulsets/db`);
  return JSON.parse(text.replace(UID_OF_DB, (owner as { readonly metadata: { readonly uid: string } }).metadata.uid));
}

async function write(server: Asked, { path, name, body, status }: Shown): Promise<void> {
  const created = await server.ask(path, { method: "POST", body: await owned(server, body) });
  expect([path, name, created.code, created.code < 300 ? "" : created.body]).toEqual([path, name, 201, ""]);
  if (status === undefined) return;
  const asking = { method: "PATCH", body: { status }, contentType: "application/merge-patch+json" };
  const changed = await server.ask(`${path}/${name}/status`, asking);
  expect([path, name, changed.code, changed.code < 300 ? "" : changed.body]).toEqual([path, name, 200, ""]);
}

await onRealCluster("our tables beside those of a real kube-apiserver", (start) => {
  describe("our tables beside those of a real kube-apiserver", () => {
    let real: Asked;
    let ours: Asked;
    beforeAll(async () => {
      real = await askable(await start());
      ours = await embeddedAskable();
      for (const server of [real, ours]) {
        await server.ask("/api/v1/namespaces", { method: "POST", body: { metadata: { name: PLACE } } });
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
        const [theirs, mine] = [await real.ask(path, { accept: TABLE }), await ours.ask(path, { accept: TABLE })];
        expect(comparable(mine.body as Table)).toEqual(comparable(theirs.body as Table));
      },
    );

    test("an object on its way out is shown as such", async () => {
      for (const path of [`/api/v1/namespaces/${PLACE}/pods`, `/api/v1/namespaces/${PLACE}/persistentvolumeclaims`]) {
        const tables: unknown[] = [];
        const name = path.endsWith("pods") ? "runs" : "claim";
        for (const server of [real, ours]) {
          const asking = { method: "PATCH", contentType: "application/merge-patch+json" };
          await server.ask(`${path}/${name}`, { ...asking, body: { metadata: { finalizers: ["example.com/wait"] } } });
          await server.ask(`${path}/${name}`, { method: "DELETE" });
          tables.push(comparable((await server.ask(`${path}/${name}`, { accept: TABLE })).body as Table));
        }
        expect(tables[1]).toEqual(tables[0]);
      }
    });

    test("a list and a namespace are shown the same, and a kind has no table of a row too many", async () => {
      for (const path of [`/api/v1/namespaces/${PLACE}`, `/api/v1/namespaces/${PLACE}/pods`]) {
        const [theirs, mine] = [await real.ask(path, { accept: TABLE }), await ours.ask(path, { accept: TABLE })];
        expect(comparable(mine.body as Table)).toEqual(comparable(theirs.body as Table));
      }
    });
  });
});
