import { readFileSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { runProcess } from "../../support/test-process.ts";
import { tempDirectory } from "../../support/temp-directory.ts";
import type { BlobWrites } from "./blob.ts";
import { faultLine, faultOf, requestsOf } from "./blob-client.ts";
import type { BlobClient, BlobServer, HttpRequest, Protocol } from "./blob-client.ts";

const CONCURRENCY = 4;
const GO_SOURCE = join(import.meta.dirname, "go-client", "main.go");

/** A request whose body and response are files, for an external program. */
interface FileTransfer {
  readonly request: HttpRequest;
  readonly url: string;
  /** Empty if there is no body. */
  readonly body: string;
  readonly response: string;
}

/** Report of a program about one transfer. */
interface Report {
  readonly response: string;
  readonly status: number;
  readonly protocol: string;
  readonly error: string;
}

/** Go's net/http, over either protocol. `program` is the compiled `go-client`. */
export function goClient(program: string, protocol: Protocol): BlobClient {
  return async (server, blobs) => {
    await using directory = await tempDirectory();
    const groups = await writeTransfers(directory.path, server, blobs);
    const plan = join(directory.path, "plan.json");
    const entry = ({ request, url, body, response }: FileTransfer): unknown => {
      const { method, contentType = "" } = request;
      return { method, url, contentType, body, response };
    };
    writeFileSync(plan, JSON.stringify(groups.map((group) => group.map(entry))));
    const token = join(directory.path, "token");
    writeFileSync(token, server.token);
    const version = protocol === "HTTP/2" ? "http2" : "http1";
    const args = [plan, server.caFile, token, String(CONCURRENCY), version];
    const { code, stdout, stderr } = await runProcess(program, { args, cwd: directory.path });
    if (code !== 0) return [`the Go client ended with ${code}: ${stderr}`];
    return faults(groups.flat(), stdout, protocol);
  };
}

/** Compiles the Go client into a directory. */
export async function buildGoClient(directory: string): Promise<string> {
  const program = join(directory, "go-client");
  const args = ["build", "-o", program, GO_SOURCE];
  const { code, stderr } = await runProcess("go", { args, cwd: directory });
  if (code !== 0) throw new Error(`the Go client does not compile:\n${stderr}`);
  return program;
}

/** One curl process that sends all requests in order, over either protocol. */
export function curlClient(protocol: Protocol): BlobClient {
  return async (server, blobs) => {
    await using directory = await tempDirectory();
    const transfers = (await writeTransfers(directory.path, server, blobs)).flat();
    const config = join(directory.path, "curl.conf");
    writeFileSync(config, transfers.map((each) => curlSection(each, server, protocol)).join("\nnext\n"), {
      mode: 0o600,
    });
    const { code, stdout, stderr } = await runProcess("curl", { args: ["--config", config], cwd: directory.path });
    if (code !== 0) return [`curl ended with ${code}: ${stderr}`, ...faults(transfers, stdout, protocol)];
    return faults(transfers, stdout, protocol);
  };
}

/** Returns the section of a curl config file for one transfer. */
function curlSection({ request, url, body, response }: FileTransfer, server: BlobServer, protocol: Protocol): string {
  const report = `{\\"response\\":\\"${response}\\",\\"status\\":%{http_code},\\"protocol\\":\\"HTTP/%{http_version}\\",\\"error\\":\\"%{errormsg}\\"}\\n`;
  const lines = [
    "silent",
    "show-error",
    protocol === "HTTP/2" ? "http2" : "http1.1",
    `url = "${url}"`,
    `cacert = "${server.caFile}"`,
    `request = "${request.method}"`,
    `header = "authorization: Bearer ${server.token}"`,
    ...(request.contentType === undefined ? [] : [`header = "content-type: ${request.contentType}"`]),
    ...(body === "" ? [] : [`data-binary = "@${body}"`]),
    `output = "${response}"`,
    `write-out = "${report}"`,
  ];
  return lines.join("\n");
}

async function writeTransfers(
  directory: string,
  server: BlobServer,
  blobs: readonly BlobWrites[],
): Promise<readonly (readonly FileTransfer[])[]> {
  await mkdir(join(directory, "bodies"));
  await mkdir(join(directory, "responses"));
  let count = 0;
  return blobs.map((blob) =>
    requestsOf(blob).map((request) => {
      const file = `${count++}.json`;
      const body = request.body === undefined ? "" : join(directory, "bodies", file);
      if (request.body !== undefined) writeFileSync(body, request.body);
      return { request, url: server.url + request.path, body, response: join(directory, "responses", file) };
    }),
  );
}

/** Compares the reports of a program (one per line) and its response files with the requests. */
function faults(transfers: readonly FileTransfer[], output: string, protocol: Protocol): readonly string[] {
  const lines = output.split("\n").filter((line) => line !== "");
  const reports = new Map(lines.map((line) => JSON.parse(line) as Report).map((report) => [report.response, report]));
  return transfers.flatMap(({ request, response }) => {
    const report = reports.get(response);
    if (report === undefined) return [faultLine(request, "is not reported")];
    if (report.error !== "") return [faultLine(request, report.error)];
    const body = readFileSync(response, "utf8");
    return faultOf(request, { status: report.status, protocol: report.protocol, body }, protocol) ?? [];
  });
}
