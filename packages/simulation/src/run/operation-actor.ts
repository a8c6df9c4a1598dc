import { unreachable } from "@levelset/core/internal";
import { idOf, MARK_PREFIX } from "../history/index.ts";
import type { Manifest, Operation } from "../history/index.ts";
import type { ForeignObjects } from "../oracle/index.ts";
import type { Subject } from "../subject/index.ts";
import { UserClient } from "../world/index.ts";
import type { SimulatedCluster, UserWrite } from "../world/index.ts";
import { childOf } from "./child-target.ts";
import { editOf } from "./child-edit.ts";

/** An operation that was performed. */
export interface PerformedOperation {
  /** Operations on children have a target now. */
  readonly operation: Operation;
  /** The message of the server. Empty if the operation had no effect for another reason. */
  readonly refusal: string | undefined;
}

/** Performs the operations of a history, as the users and administrators of its cluster. */
export class OperationActor {
  /** The uids of objects that users have deleted. */
  readonly deleted: Set<string> = new Set();
  readonly #cluster: SimulatedCluster;
  readonly #subject: Subject;
  readonly #foreign: ForeignObjects;
  readonly #user: UserClient;

  constructor(cluster: SimulatedCluster, subject: Subject, foreign: ForeignObjects) {
    this.#cluster = cluster;
    this.#subject = subject;
    this.#foreign = foreign;
    // A program may install the CRD of a child.
    this.#user = new UserClient(cluster.fetch, (id) => cluster.journal.pluralOf(id) ?? subject.pluralOf(id));
  }

  /** Performs an operation. `index` is its position in the history. */
  async perform(operation: Operation, index: number): Promise<PerformedOperation> {
    switch (operation.do) {
      case "create":
      case "create-foreign":
        return this.#wrote(operation, await this.#user.create(operation.object));
      case "change":
        return this.#wrote(operation, await this.#user.change(operation.object));
      case "delete": {
        const { kind } = await this.#user.delete(operation.id);
        this.#foreign.deleted(operation.id);
        return performed(operation, kind === "written");
      }
      case "delete-child":
      case "edit-child":
        return this.#touchChild(operation, String(index));
      case "lose-pods":
        return performed(operation, await this.#deletePods());
      case "restart":
        await this.#cluster.stop();
        this.#cluster.start();
        return performed(operation);
      case "downtime":
        await this.#cluster.stop();
        await this.#cluster.advance(operation.ms);
        this.#cluster.start();
        return performed(operation);
      case "step-clock":
        this.#cluster.clock.stepWall(operation.ms);
        return performed(operation);
      case "pass-time":
        return performed(operation);
      default:
        return unreachable(operation);
    }
  }

  #wrote(operation: Extract<Operation, { readonly object: Manifest }>, write: UserWrite): PerformedOperation {
    if (write.kind === "refused") return { operation, refusal: write.message };
    const { object } = write;
    this.#cluster.journal.claimForUser(object.metadata.uid);
    const isRoot = operation.do !== "create-foreign" && this.#subject.isRootKind(object);
    this.#foreign.wrote(object, operation.object, isRoot);
    return performed(operation);
  }

  /** Returns whether there were any. */
  async #deletePods(): Promise<boolean> {
    const pods = this.#cluster.journal.present().filter(({ resource }) => resource === "pods");
    for (const { object } of pods) {
      this.deleted.add(object.metadata.uid);
      await this.#user.delete(idOf(object));
    }
    return pods.length > 0;
  }

  async #touchChild(
    operation: Extract<Operation, { readonly pick: number }>,
    mark: string,
  ): Promise<PerformedOperation> {
    const record = childOf(operation, this.#cluster.journal.children(), this.#subject.isProtected);
    if (record === undefined) return performed(operation, false);
    const target = idOf(record.object);
    if (operation.do === "delete-child") {
      this.deleted.add(record.object.metadata.uid);
      const { kind } = await this.#user.delete(target);
      return performed({ ...operation, target }, kind === "written");
    }
    const patch =
      operation.edit === "annotate"
        ? { metadata: { annotations: { [`${MARK_PREFIX}${mark}`]: "x" } } }
        : (operation.patch ?? editOf(record.object, operation.pick));
    if (patch === undefined) return performed(operation, false);
    // An Operand that adopts an object removes what kubectl has set (docs/adr/0049-former-managers.md).
    const isKept = operation.edit === "annotate" && !this.#cluster.journal.isLeftover(record);
    const write = await this.#user.merge(target, patch);
    if (write.kind === "written" && isKept) this.#foreign.annotated(write.object, mark);
    return performed({ ...operation, target, patch }, write.kind === "written");
  }
}

function performed(operation: Operation, hasEffect = true): PerformedOperation {
  return { operation, refusal: hasEffect ? undefined : "" };
}
