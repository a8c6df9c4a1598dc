import { Pool } from "undici";
import { BASE_PATH } from "@levelset/fleet";
import { CLUSTER } from "./stock.ts";

/** Changes and reports over HTTP, on connections that are kept. */
export class ApiClient implements AsyncDisposable {
  readonly #pool: Pool;

  constructor(url: string, connections: number) {
    this.#pool = new Pool(url, { connections });
  }

  /** Changes a cluster's spec. The result is its generation then. */
  async patch(id: string, spec: object): Promise<number> {
    const text = await this.#send("PATCH", `${BASE_PATH}/${CLUSTER.plural}/${id}`, { spec });
    return (JSON.parse(text) as { readonly generation: number }).generation; // as every answer about a resource has it
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
    const answer = await this.#pool.request({ method, path, headers, body: JSON.stringify(body) });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.statusCode} ${text.slice(0, 500)}`);
    return text;
  }
}
