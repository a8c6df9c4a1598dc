// Starts a server as tests do, says its number and its directory, and never ends it.
import { scratch } from "./scratch.ts";
import { ServerProcess } from "./server-process.ts";

const { path } = await scratch();
const args = ["-e", "console.log('up', process.pid); setInterval(() => {}, 1000)"];
const server = new ServerProcess(process.execPath, { args, cwd: path, ready: /up \d+/u });
await server.start();
console.log(`owner of ${server.pid} in ${path}`);
