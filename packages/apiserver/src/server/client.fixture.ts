import { once } from "node:events";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { ClientCertificate } from "./certificate.ts";
import type { ListeningServer } from "./listen.ts";

export interface CallOptions {
  /** Empty for no token. Default: the administrator's. */
  readonly token?: string;
  readonly certificate?: ClientCertificate;
  readonly method?: string;
  readonly body?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ClientResponse {
  readonly code: number | undefined;
  readonly version: string;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
}

/** Sends one request over HTTP/1.1 on its own connection. */
export async function call(
  listening: ListeningServer,
  path: string,
  options: CallOptions = {},
): Promise<ClientResponse> {
  const { token = listening.token, certificate, method = "GET", body } = options;
  const headers = {
    "content-type": "application/json",
    ...(token === "" ? {} : { authorization: `Bearer ${token}` }),
    ...options.headers,
  };
  const request = httpsRequest(listening.url + path, {
    ca: listening.ca,
    ...certificate,
    method,
    headers,
    agent: false,
  });
  request.end(body);
  const [response] = (await once(request, "response")) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer); // no encoding is set
  const bytes = Buffer.concat(chunks);
  return {
    code: response.statusCode,
    version: response.httpVersion,
    headers: response.headers,
    bytes,
    text: bytes.toString("utf8"),
  };
}
