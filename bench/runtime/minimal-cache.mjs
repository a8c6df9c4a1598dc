// A minimal cache: lists page by page, parses and stores the objects.
import { readFile } from "node:fs/promises";
import { Agent, request } from "undici";
import { NAMESPACE, up } from "./program-protocol.mjs";

const PAGE_SIZE = 500;

const { clusters, users } = JSON.parse(await readFile(process.env.KUBECONFIG, "utf8"));
const { server, "certificate-authority-data": authority } = clusters[0].cluster;
const dispatcher = new Agent({ allowH2: false, connect: { ca: Buffer.from(authority, "base64") } });
const headers = { accept: "application/json", authorization: `Bearer ${users[0].user.token}` };

// Global, so that the objects are not garbage-collected.
const objects = (globalThis.objects = new Map());
let token = "";
do {
  const query = new URLSearchParams({ limit: PAGE_SIZE, ...(token === "" ? {} : { continue: token }) });
  const url = `${server}/api/v1/namespaces/${NAMESPACE}/configmaps?${query.toString()}`;
  const { body } = await request(url, { dispatcher, headers });
  const { items, metadata } = JSON.parse(await body.text());
  for (const item of items) objects.set(item.metadata.name, item);
  token = metadata.continue ?? "";
} while (token !== "");
up(objects.size);
