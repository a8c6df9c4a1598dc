import { s, stringifyJson } from "@levelset/core";
import type { Route } from "../route.ts";
import { openApiDocument } from "./document.ts";
import type { DocumentOptions } from "./document.ts";
import { openApiPage } from "./page.ts";

const DOCUMENT = { name: "OpenApiDocument", schema: s.record().describe("A document of OpenAPI 3.1.") };

/** The routes that describe all others and themselves: as a document, and as a page. Open to everybody. */
export function openApiRoutes(
  routes: readonly Route[],
  options: DocumentOptions & { readonly basePath: string },
): readonly Route[] {
  const { basePath } = options;
  const made = { json: "", html: "" };
  const own: readonly Route[] = [
    {
      method: "GET",
      path: `${basePath}/openapi`,
      operationId: "getOpenApi",
      summary: "This document",
      needs: "none",
      answers: [{ status: 200, description: "The document.", shape: DOCUMENT }],
      handle: async () => ({
        status: 200,
        body: { kind: "text", text: made.json, contentType: "application/json" },
      }),
    },
    {
      method: "GET",
      path: `${basePath}/openapi.html`,
      operationId: "getOpenApiPage",
      summary: "This document, for people",
      needs: "none",
      answers: [{ status: 200, description: "A page.", contentType: "text/html" }],
      handle: async () => ({
        status: 200,
        headers: { "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'" },
        body: { kind: "text", text: made.html, contentType: "text/html; charset=utf-8" },
      }),
    },
  ];
  const document = openApiDocument([...routes, ...own], options);
  made.json = stringifyJson(document);
  made.html = openApiPage(document);
  return own;
}
