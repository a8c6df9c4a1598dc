import { readFile } from "node:fs/promises";

/** Ticks per second in which Linux tells CPU time. */
const TICKS = 100;

/** The CPU time in ms that a process has used so far, and that of its children that have ended and were waited for. */
export async function cpuMsOf(pid: number): Promise<{ readonly own: number; readonly ended: number }> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  // After the name in parentheses, which may hold anything: user and system time are the 12th and 13th, those of children follow.
  const fields = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
  const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11);
  return { own: ((user + system) * 1000) / TICKS, ended: ((childUser + childSystem) * 1000) / TICKS };
}

/** The CPU time in ms that a process and all its children have used so far. */
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
    return 0; // it has just ended, and is its parent's matter
  }
}
