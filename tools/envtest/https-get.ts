import { request } from "node:https";

export interface GetOptions {
  readonly url: string;
  /** PEM certificates of which one must have signed the server's. */
  readonly ca: string;
  readonly token: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface HttpsResponse {
  readonly status: number;
  readonly body: string;
}

/** Sends a verified request on a new connection. `fetch` has no option for trusted certificates. */
export async function httpsGet(options: GetOptions): Promise<HttpsResponse> {
  const timeout = AbortSignal.timeout(options.timeoutMs);
  const signal = options.signal === undefined ? timeout : AbortSignal.any([options.signal, timeout]);
  return await new Promise((resolve, reject) => {
    const sent = request(
      options.url,
      { ca: options.ca, agent: false, signal, headers: { authorization: `Bearer ${options.token}` } },
      (response) => {
        const chunks: string[] = [];
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => resolve({ status: response.statusCode ?? 0, body: chunks.join("") }));
      },
    );
    sent.on("error", reject);
    sent.end();
  });
}
