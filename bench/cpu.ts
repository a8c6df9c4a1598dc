import { readFile } from "node:fs/promises";

/** Clock ticks per second in which Linux reports CPU time. */
const TICKS = 100;

/** Returns the CPU time of a process in ms, and that of its children that have ended and were waited for. */
export async function cpuMsOf(pid: number): Promise<{ readonly own: number; readonly ended: number }> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  // After the name in parentheses, which may contain any character: user and system time are fields 12 and 13, then
  // those of children.
  const fields = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
  const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11);
  return { own: ((user + system) * 1000) / TICKS, ended: ((childUser + childSystem) * 1000) / TICKS };
}

/** Returns the CPU time of a process and all its children in ms. */
export async function cpuMsOfAll(pid: number): Promise<number> {
  const { own, ended } = await cpuMsOf(pid);
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, "utf8")).trim();
  const each = await Promise.all(
    children === "" ? [] : children.split(" ").map((child) => cpuMsIfThere(Number(child))),
  );
  return [own, ended, ...each].reduce((sum, ms) => sum + ms, 0);
}

async function cpuMsIfThere(pid: number): Promise<number> {
  try {
    return (await cpuMsOf(pid)).own;
  } catch {
    return 0; // the process has just ended; its parent counts it
  }
}
