import assert from "node:assert/strict";
import { connect } from "node:http2";
import { gunzipSync } from "node:zlib";
import { expectError } from "../suite/case-response.ts";
import { group } from "../suite/case.ts";
import type { Case } from "../suite/case.ts";
import type { CaseContext } from "../suite/case-context.ts";
import { match } from "../suite/match.ts";
import { withTimeout } from "../suite/with-timeout.ts";

const JSON_TYPE = { "content-type": "application/json" };

async function overHttp2(t: CaseContext, path: string): Promise<{ status: unknown; text: string }> {
  const { url, ca, token } = t.stage.connection.access;
  const session = connect(url, { ca });
  try {
    const stream = session.request({ ":path": path, authorization: `Bearer ${token}` });
    let status: unknown;
    stream.on("response", (headers) => (status = headers[":status"]));
    const read = async (): Promise<string> => {
      let text = "";
      for await (const chunk of stream.setEncoding("utf8")) text += String(chunk);
      return text;
    };
    const text = await withTimeout("a response over HTTP/2", read());
    return { status, text };
  } finally {
    session.destroy();
  }
}

/** HTTP. */
export const PROTOCOL: readonly Case[] = group("protocol", "requests", [
  [
    "HTTP/2 and HTTP/1.1 are served on one port",
    "apiserver: secure serving, ALPN",
    async (t) => {
      const { status, text } = await overHttp2(t, "/version");
      assert.equal(status, 200);
      match(text, /gitVersion/u);
      (await t.get("/version")).expectStatus(200);
    },
  ],
  [
    "responses are JSON, not cacheable, with an audit id",
    "apiserver: WithCacheControl, WithAuditInit",
    async (t) => {
      const { headers } = await t.get("/api/v1/namespaces/default");
      assert.equal(headers["content-type"], "application/json");
      assert.equal(headers["cache-control"], "no-cache, private");
      match(headers["audit-id"], /^[0-9a-f-]{36}$/u);
    },
  ],
  [
    "a large response is gzipped if the client accepts it, a small one is not",
    "apiserver: APIResponseCompression, 128 KiB",
    async (t) => {
      await t.create("configmaps", { metadata: { name: "big" }, data: { x: "x".repeat(300_000) } });
      const big = await t.get("configmaps/big", {}, { "accept-encoding": "gzip" });
      assert.equal(big.headers["content-encoding"], "gzip");
      match(JSON.parse(gunzipSync(big.bytes).toString("utf8")), { metadata: { name: "big" } });
      assert.equal((await t.get("configmaps/big")).headers["content-encoding"], undefined);
      assert.equal((await t.get("/version", {}, { "accept-encoding": "gzip" })).headers["content-encoding"], undefined);
    },
  ],
  [
    "malformed JSON is a bad request",
    "apimachinery: codec errors",
    async (t) => {
      for (const body of ['{"metadata":', "", "nonsense"]) {
        await expectError(t.send("POST", "configmaps", { body, headers: JSON_TYPE }), 400, "BadRequest", {
          message: /the object provided is unrecognized/u,
        });
      }
    },
  ],
  [
    "malformed YAML is a bad request",
    "apimachinery: codec errors",
    async (t) => {
      await expectError(
        t.send("POST", "configmaps", { body: "a: [b", headers: { "content-type": "application/yaml" } }),
        400,
        "BadRequest",
        { message: /yaml/u },
      );
    },
  ],
  [
    "protobuf without its prefix is a bad request",
    "apimachinery: protobuf serializer",
    async (t) => {
      await expectError(
        t.send("POST", "configmaps", {
          body: "nonsense",
          headers: { "content-type": "application/vnd.kubernetes.protobuf" },
        }),
        400,
        "BadRequest",
        {
          message: /the object provided is unrecognized.*protobuf/u,
        },
      );
    },
  ],
  [
    "a body of an unknown media type is unsupported",
    "apiserver: negotiation of the input",
    async (t) => {
      await expectError(
        t.send("POST", "configmaps", { body: "{}", headers: { "content-type": "text/plain" } }),
        415,
        "UnsupportedMediaType",
        {
          message:
            /^the body of the request was in an unknown format - accepted media types include: application\/json, application\/yaml, application\/vnd\.kubernetes\.protobuf$/u,
        },
      );
    },
  ],
  [
    "a body without a content type is parsed as JSON",
    "apiserver: negotiation of the input, default",
    async (t) => {
      const response = await t.send("POST", "configmaps", {
        body: '{"metadata":{"name":"a"}}',
        headers: { "content-type": undefined },
      });
      response.expectStatus(201);
    },
  ],
  [
    "an unsupported Accept header is not acceptable",
    "apiserver: negotiation of the output",
    async (t) => {
      await expectError(t.send("GET", "configmaps", { headers: { accept: "text/html" } }), 406, "NotAcceptable", {
        message: /only the following media types are accepted: application\/json|406: Not Acceptable/u,
      });
      (await t.send("GET", "configmaps", { headers: { accept: "text/html, */*" } })).expectStatus(200);
    },
  ],
  [
    "a body above 3 MiB is too large",
    "apiserver: MaxRequestBodyBytes",
    async (t) => {
      const body = { metadata: { name: "a" }, data: { x: "x".repeat(3_200_000) } };
      await expectError(t.send("POST", "configmaps", { body }), 413, "RequestEntityTooLarge", {
        message: "Request entity too large: limit is 3145728",
      });
    },
  ],
  [
    "a ConfigMap above 1 MiB is too long",
    "core: MaxSecretSize",
    async (t) => {
      const body = { metadata: { name: "a" }, data: { x: "x".repeat(1_100_000) } };
      await expectError(t.send("POST", "configmaps", { body }), 422, "Invalid", {
        causes: ["[]: FieldValueTooLong"],
      });
    },
  ],
  [
    "1 MiB of data is counted in decoded bytes, without the keys",
    "core: ValidateSecret, ValidateConfigMap",
    async (t) => {
      const mib = 1024 * 1024;
      const base64 = (bytes: number): string => Buffer.alloc(bytes).toString("base64");
      const tooLong = "Too long: may not be more than 1048576 bytes";
      const full = { x: base64(mib - 3), y: base64(2), z: base64(1) };
      await t.create("secrets", { metadata: { name: "a" }, data: full });
      await expectError(t.patch("merge", "secrets/a", { stringData: { w: "x" } }), 422, "Invalid", {
        causes: ["data: FieldValueTooLong"],
        message: `Secret "a" is invalid: data: ${tooLong}`,
      });
      await t.create("configmaps", {
        metadata: { name: "a" },
        data: { w: "\u00e9" },
        binaryData: { x: base64(mib - 2) },
      });
      await expectError(t.patch("merge", "configmaps/a", { binaryData: { y: base64(1) } }), 422, "Invalid", {
        causes: ["[]: FieldValueTooLong"],
        message: `ConfigMap "a" is invalid: []: ${tooLong}`,
      });
    },
  ],
  [
    "a method that a path does not support is not allowed",
    "apiserver: 405",
    async (t) => {
      for (const method of ["OPTIONS", "PATCH"]) {
        await expectError(t.send(method, "configmaps"), 405, "MethodNotAllowed", {
          message: "the server does not allow this method on the requested resource",
        });
      }
    },
  ],
  [
    "HEAD is not allowed on objects",
    "apiserver: 405",
    async (t) => {
      await t.create("configmaps", { metadata: { name: "a" } });
      const response = await t.send("HEAD", "configmaps/a");
      assert.deepEqual([response.status, response.text], [405, ""]);
    },
  ],
  [
    "an unknown path is not found",
    "apiserver: 404",
    async (t) => {
      const response = await t.send("GET", "/nonsense");
      assert.equal(response.status, 404);
    },
  ],
  [
    "a path with an empty or unusual segment is not an object",
    "apiserver: request paths",
    async (t) => {
      await t.create("configmaps", { metadata: { name: "a" } });
      assert.equal((await t.send("GET", `${t.path("configmaps")}/..%2f..%2fsecrets`)).status, 404);
      assert.equal((await t.send("GET", `/api/v1/namespaces/${t.namespace}/configmaps/a/b/c`)).status, 404);
    },
  ],
  [
    "unknown query parameters are ignored",
    "apiserver: conversion of query parameters",
    async (t) => void (await t.get("configmaps", { nonsense: "1" })).expectStatus(200),
  ],
  [
    "Unicode text is preserved",
    "RFC 8259",
    async (t) => {
      // Without U+0000: kube-apiserver accepts it in values, the embedded server nowhere (docs/reference/apiserver.md).
      const data = { text: 'Ünï©ødé 🚀 \u0001 "quoted" </script> \u2028' };
      (await t.create("configmaps", { metadata: { name: "a" }, data })).expectShape({ data });
      (await t.get("configmaps/a")).expectShape({ data });
    },
  ],
]);
