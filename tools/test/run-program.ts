import { spawn } from "node:child_process";

/** Runs a program with the output of this process; resolves with whether it succeeded. */
export function runProgram(
  command: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, [...args], {
      stdio: "inherit",
      shell: process.platform === "win32",
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
    });
    child.on("error", (error) => {
      console.error(`${command}: ${error.message}`);
      resolve(false);
    });
    child.on("exit", (code) => resolve(code === 0));
  });
}
