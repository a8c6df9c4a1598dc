import { s } from "@levelset/core";
import { stringifyJson } from "@levelset/core/internal";
import type { Route } from "../route.ts";
import { openApiDocument } from "./openapi-document.ts";
import type { OpenApiDocumentOptions } from "./openapi-document.ts";
import { openApiPage } from "./openapi-page.ts";

const DOCUMENT = { name: "OpenApiDocument", schema: s.record().describe("An OpenAPI 3.1 document.") };

/** Returns the routes of the OpenAPI document and its HTML page. No authentication required. */
export function openApiRoutes(
  routes: readonly Route[],
  options: OpenApiDocumentOptions & { readonly basePath: string },
): readonly Route[] {
  const { basePath } = options;
  const rendered = { json: "", html: "" };
  const own: readonly Route[] = [
    {
      method: "GET",
      path: `${basePath}/openapi`,
      operationId: "getOpenApi",
      summary: "Returns the OpenAPI document",
      permission: "none",
      responses: [{ status: 200, description: "The document.", shape: DOCUMENT }],
      handle: async () => ({
        status: 200,
        body: { kind: "text", text: rendered.json, contentType: "application/json" },
      }),
    },
    {
      method: "GET",
      path: `${basePath}/openapi.html`,
      operationId: "getOpenApiPage",
      summary: "Shows the OpenAPI document as HTML",
      permission: "none",
      responses: [{ status: 200, description: "An HTML page.", contentType: "text/html" }],
      handle: async () => ({
        status: 200,
        headers: { "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'" },
        body: { kind: "text", text: rendered.html, contentType: "text/html; charset=utf-8" },
      }),
    },
  ];
  const document = openApiDocument([...routes, ...own], options);
  rendered.json = stringifyJson(document);
  rendered.html = openApiPage(document);
  return own;
}
