import { Pool } from "undici";
import { BASE_PATH } from "@levelset/fleet/server";
import { CLUSTER } from "./seed-store.ts";

/** Sends changes and reports over HTTP keep-alive connections. */
export class ApiClient implements AsyncDisposable {
  readonly #pool: Pool;

  constructor(url: string, connections: number) {
    this.#pool = new Pool(url, { connections });
  }

  /** Changes a cluster's spec and returns the new generation. */
  async patch(id: string, spec: object): Promise<number> {
    const text = await this.#send("PATCH", `${BASE_PATH}/${CLUSTER.plural}/${id}`, { spec });
    return (JSON.parse(text) as { readonly generation: number }).generation; // every resource in a response has it
  }

  /** Reports on a cluster. */
  async report(id: string, body: object): Promise<void> {
    await this.#send("PUT", `${BASE_PATH}/${CLUSTER.plural}/${id}/statuses`, body);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#pool.destroy();
  }

  async #send(method: "PATCH" | "PUT", path: string, body: object): Promise<string> {
    const headers = { "content-type": "application/json" };
    const response = await this.#pool.request({ method, path, headers, body: JSON.stringify(body) });
    const text = await response.body.text();
    if (response.statusCode >= 300) throw new Error(`${method} ${path}: ${response.statusCode} ${text.slice(0, 500)}`);
    return text;
  }
}
