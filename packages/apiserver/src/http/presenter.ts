import { stringifyJson } from "@levelset/core";
import type { Clock } from "@levelset/core";
import { badRequest, resourceApiVersion } from "../registry/index.ts";
import type { Resource, View } from "../registry/index.ts";
import { notAcceptable } from "./accept.ts";
import type { Format } from "./accept.ts";
import { printerOf } from "./columns.ts";

/** What a list says besides its items. */
export interface ListMeta {
  readonly resourceVersion: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

/** Writes objects in the form that the client asked for. */
export interface Presenter {
  one(view: View): string;
  /** Whole, or in pieces. */
  list(views: readonly View[], meta: ListMeta): string | readonly string[];
  /** The object inside a watch event. */
  event(view: View): string;
  /** Presenters of the same name write the same events, so that one line serves all their watchers. Absent: this one alone. */
  readonly sharedAs?: string;
  /** The object inside a BOOKMARK: nothing but a revision. */
  bookmark(resourceVersion: string, annotations?: Readonly<Record<string, string>>): string;
}

/** What a presenter needs to know. */
export interface PresenterOptions {
  readonly format: Format;
  readonly resource: Resource;
  /** The includeObject parameter of table requests. */
  readonly includeObject: string;
  readonly clock: Clock;
}

const INCLUDE = ["", "Metadata", "Object", "None"];

/** The presenter for a request. Throws BadRequest where a table is to include something unknown. */
export function presenterOf(options: PresenterOptions): Presenter {
  switch (options.format.kind) {
    case "object":
      return knownObjectPresenter(options.resource);
    case "partial":
      return partialPresenter(options, options.format);
    case "table":
      return tablePresenter(options, options.format.version);
  }
}

/** They depend on nothing else, and nearly every request needs one. */
const objectPresenters = new WeakMap<Resource, Presenter>();

function knownObjectPresenter(resource: Resource): Presenter {
  const known = objectPresenters.get(resource) ?? objectPresenter(resource);
  objectPresenters.set(resource, known);
  return known;
}

function objectPresenter(resource: Resource): Presenter {
  const apiVersion = resourceApiVersion(resource);
  const head = stringifyJson({ kind: resource.listKind, apiVersion }).slice(0, -1);
  const type = `{"apiVersion":"${apiVersion}","kind":"${resource.kind}",`;
  return {
    one: (view) => view.json,
    // Items are the text that was encoded when they were written.
    list: (views, meta) => {
      const items = views.map((view, index) => {
        const item = resource.custom ? view.json : withoutType(view, type);
        return index === 0 ? item : `,${item}`;
      });
      return [`${head},"metadata":${stringifyJson(meta)},"items":[`, ...items, "]}"];
    },
    event: (view) => view.json,
    sharedAs: "object",
    bookmark: (resourceVersion, annotations) =>
      stringifyJson({ kind: resource.kind, apiVersion, metadata: bookmarkMeta(resourceVersion, annotations) }),
  };
}

/** Items of built-in lists do not repeat what the list says about their type. */
function withoutType(view: View, type: string): string {
  if (view.json.startsWith(type)) return `{${view.json.slice(type.length)}`;
  const { apiVersion: _a, kind: _k, ...rest } = view.object;
  return stringifyJson(rest);
}

function bookmarkMeta(resourceVersion: string, annotations?: Readonly<Record<string, string>>): unknown {
  return { resourceVersion, creationTimestamp: null, ...(annotations === undefined ? {} : { annotations }) };
}

function partial(view: View, apiVersion: string): unknown {
  return { kind: "PartialObjectMetadata", apiVersion, metadata: view.object.metadata };
}

function partialPresenter({ resource }: PresenterOptions, format: Extract<Format, { kind: "partial" }>): Presenter {
  const apiVersion = `meta.k8s.io/${format.version}`;
  const event = (view: View): string => stringifyJson(partial(view, apiVersion));
  return {
    one: (view) => {
      if (format.of === "one") return event(view);
      throw notAcceptable(
        `you requested PartialObjectMetadataList, but the requested object is not a list (${resource.kind})`,
      );
    },
    event,
    sharedAs: `partial/${format.version}`,
    list: (views, metadata) => {
      if (format.of === "one") {
        throw notAcceptable(
          `you requested PartialObjectMetadata, but the requested object is a list (${resource.listKind})`,
        );
      }
      const items = views.map((view) => partial(view, apiVersion));
      return stringifyJson({ kind: "PartialObjectMetadataList", apiVersion, metadata, items });
    },
    bookmark: (resourceVersion, annotations) =>
      stringifyJson({
        kind: "PartialObjectMetadata",
        apiVersion,
        metadata: bookmarkMeta(resourceVersion, annotations),
      }),
  };
}

function tablePresenter(options: PresenterOptions, version: "v1" | "v1beta1"): Presenter {
  if (!INCLUDE.includes(options.includeObject)) {
    throw badRequest(
      `Unable to convert to Table as requested: includeObject: Invalid value: ${JSON.stringify(options.includeObject)}: ` +
        "must be 'Metadata', 'Object', 'None', or empty",
    );
  }
  const apiVersion = `meta.k8s.io/${version}`;
  const printer = printerOf(options.resource);
  // After the first event of a watch the heads are known.
  let isHeadSent = false;
  const row = (view: View): unknown => {
    const conditions = printer.conditions?.(view.object) ?? [];
    return {
      cells: printer.cells(view.object, options.clock.now()),
      ...(conditions.length === 0 ? {} : { conditions }),
      ...rowObject(view, options.includeObject, apiVersion),
    };
  };
  const table = (views: readonly View[], metadata: unknown, withHead: boolean): string =>
    stringifyJson({
      kind: "Table",
      apiVersion,
      metadata,
      columnDefinitions: withHead ? printer.columns : null,
      rows: views.map(row),
    });
  const metaOf = (view: View): ListMeta => ({ resourceVersion: view.object.metadata.resourceVersion });
  return {
    one: (view) => table([view], metaOf(view), true),
    list: (views, meta) => table(views, meta, true),
    event: (view) => {
      const withHead = !isHeadSent;
      isHeadSent = true;
      return table([view], metaOf(view), withHead);
    },
    // As the real server does it, the bookmark is the object of an otherwise empty row.
    bookmark: (resourceVersion, annotations) =>
      stringifyJson({
        kind: "Table",
        apiVersion,
        metadata: { resourceVersion },
        columnDefinitions: null,
        rows: [
          {
            cells: printer.columns.map(() => null),
            object: {
              kind: "PartialObjectMetadata",
              apiVersion,
              metadata: bookmarkMeta(resourceVersion, annotations),
            },
          },
        ],
      }),
  };
}

function rowObject(view: View, includeObject: string, apiVersion: string): { readonly object: unknown } {
  if (includeObject === "None") return { object: null };
  return { object: includeObject === "Object" ? view.object : partial(view, apiVersion) };
}
