import { randomUUID } from "node:crypto";
import type { TLSSocket } from "node:tls";
import { StatusError } from "@levelset/core";
import { textProblem } from "@levelset/core/internal";
import type { HttpHandler, HttpRequest } from "@levelset/core/http";
import { statusErrorResponse } from "../http/index.ts";
import type { ApiHandler, ApiRequest, ApiResponse } from "../http/index.ts";
import type { RequestUser } from "../auth/index.ts";
import type { RequestAuthenticator } from "./authentication.ts";

/** Options of {@link socketHandler}. */
export interface SocketHandlerOptions {
  readonly handle: ApiHandler;
  readonly authenticate: RequestAuthenticator;
}

/** Returns the handler of requests that arrive at a listener: authenticates them, then passes them to the API. */
export function socketHandler(options: SocketHandlerOptions): HttpHandler {
  return async (request) => {
    const response = await respond(options, request);
    response.headers.set("cache-control", "no-cache, private");
    response.headers.set("audit-id", request.headers.get("audit-id")?.toWellFormed() ?? randomUUID());
    return response;
  };
}

async function respond({ handle, authenticate }: SocketHandlerOptions, request: HttpRequest): Promise<ApiResponse> {
  const target = request.url.replace(/^http:\/\/localhost(?=\/)/, "");
  if (!target.startsWith("/") || !URL.canParse(request.url)) {
    return statusErrorResponse(new StatusError("BadRequest", "the request names no path"));
  }
  const [path = ""] = target.split("?", 1);
  try {
    const header = (name: string): string | undefined => textHeaderOf(request, name);
    // The listener accepts TLS connections only.
    const user = authenticate({ path, header, peer: request.socket as TLSSocket });
    return await handle(new AuthenticatedRequest(request, user));
  } catch (error) {
    if (error instanceof StatusError) return statusErrorResponse(error);
    throw error;
  }
}

/** A request with its user. */
class AuthenticatedRequest implements ApiRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: ApiRequest["headers"];
  readonly body: ApiRequest["body"];
  readonly user: RequestUser;
  readonly #request: HttpRequest;

  constructor(request: HttpRequest, user: RequestUser) {
    this.method = request.method;
    this.url = request.url;
    this.headers = { get: (name) => request.headers.get(name)?.toWellFormed() ?? null };
    this.body = request.body;
    this.user = user;
    this.#request = request;
  }

  /** Read on use, because it is created then. */
  get signal(): AbortSignal {
    return this.#request.signal;
  }
}

/** Returns a header that is stored or returned, such as a user name. Throws BadRequest if it is not UTF-8. */
function textHeaderOf({ headers }: HttpRequest, name: string): string | undefined {
  const text = headers.get(name) ?? undefined;
  const problem = text === undefined ? undefined : textProblem(text);
  if (problem === undefined) return text;
  const message = `Invalid value: ${problem}`;
  throw new StatusError("BadRequest", `the header ${name} is unrecognized: ${message}`, {
    details: { causes: [{ reason: "FieldValueInvalid", message, field: name }] },
  });
}
