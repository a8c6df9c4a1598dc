// Starts a server as tests do, prints its process id and directory, and never stops it.
import { tempDirectory } from "./temp-directory.ts";
import { ServerProcess } from "./server-process.ts";

const { path } = await tempDirectory();
const args = ["-e", "console.log('up', process.pid); setInterval(() => {}, 1000)"];
const server = new ServerProcess(process.execPath, { args, cwd: path, ready: /up \d+/u });
await server.start();
console.log(`owner of ${server.pid} in ${path}`);
